import { transaction, type Executor } from "@gateway/database";
import { startOfIds, type Clock } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import { createHash } from "node:crypto";
import type { AuditTables } from "./tables.ts";

/**
 * Longer than any transaction that may still write an event with an earlier id, so the chain is in the order of ids.
 */
export const sealedAfterMs = 60_000;

const loggedEveryMs = 60 * 60_000;
const batchSize = 500;

export type ChainHead = { accountId: string; sequence: number; hash: Buffer };

/** The fields that the hash of an event covers. The time is a string, because a Date has no microseconds. */
export type ChainedRow = {
  id: string;
  account_id: string;
  type: string;
  actor_type: string;
  actor_id: string | null;
  application_id: string | null;
  resource_id: string | null;
  request_id: string | null;
  changes: string;
  personal_hash: Buffer | null;
  created_text: string;
};

export const chainedColumns = sql`id, account_id, type, actor_type, actor_id, application_id, resource_id, request_id, changes,
  personal_hash, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as created_text`;

/** The hash before the first event of an account. */
export const firstHash = Buffer.alloc(32);

/**
 * SHA-256 of the previous hash, the place, and everything that stays of the event. Personal data enters as its salted
 * hash.
 */
export function hashEvent(before: Buffer, sequence: number, row: ChainedRow): Buffer {
  const kept = [
    sequence,
    ...[row.id, row.account_id, row.type, row.actor_type, row.actor_id, row.application_id],
    ...[row.resource_id, row.request_id, row.changes, row.personal_hash?.toString("hex") ?? null, row.created_text],
  ];
  return createHash("sha256").update(before).update(JSON.stringify(kept)).digest();
}

/** Any number of processes may run these at once. */
export function createAuditChains(db: Kysely<AuditTables>, { clock }: { clock: Clock }) {
  return {
    /** Gives all events that are old enough their place in the chain of their account. Returns how many. */
    seal: async () => {
      const before = startOfIds("aud", clock.now() - sealedAfterMs);
      const { rows } = await sql<{ account_id: string }>`
        select distinct account_id from audit_events where sequence is null and id < ${before}
      `.execute(db);
      let sealed = 0;
      for (const { account_id: accountId } of rows) {
        let batch = batchSize;
        while (batch === batchSize) {
          batch = await transaction(db, (trx) => sealBatch(trx, { accountId, before }));
          sealed += batch;
        }
      }
      return sealed;
    },
    /**
     * Hands over the heads that grew, each at most once an hour. Rewriting a chain does not change the heads in the
     * log.
     */
    logHeads: (log: (head: ChainHead) => void) =>
      transaction(db, async (trx) => {
        // Logged before the commit, because twice is better than never.
        (await claimHeads(trx, clock.now())).forEach(log);
      }),
    listAccounts: async () => {
      const rows = await db.selectFrom("audit_chains").select("account_id").orderBy("account_id").execute();
      return rows.map(({ account_id: accountId }) => accountId);
    },
  };
}

/** Skips a chain that another process is sealing. */
async function sealBatch(
  trx: Kysely<AuditTables>,
  { accountId, before }: { accountId: string; before: string },
): Promise<number> {
  if (!(await tryToLock(trx, accountId))) {
    return 0;
  }
  const { rows } = await sql<ChainedRow>`
    select ${chainedColumns} from audit_events
    where account_id = ${accountId} and sequence is null and id < ${before} order by id limit ${batchSize}
  `.execute(trx);
  const head = await trx.selectFrom("audit_chains").selectAll().where("account_id", "=", accountId).executeTakeFirst();
  const links = linksOf(rows, { sequence: head?.sequence ?? 0, hash: head?.hash ?? firstHash });
  const last = links.at(-1);
  if (last) {
    await fillIn(trx, accountId, links);
    await trx
      .insertInto("audit_chains")
      .values({
        account_id: accountId,
        sequence: last.sequence,
        hash: last.hash,
        dropped_sequence: 0,
        dropped_hash: firstHash,
        logged_sequence: 0,
      })
      .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ sequence: last.sequence, hash: last.hash }))
      .execute();
  }
  return links.length;
}

async function tryToLock(trx: Executor, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`audit chain ${accountId}`}, 0)) as "isLocked"
  `.execute(trx);
  return rows[0]?.isLocked ?? false;
}

type Link = { id: string; sequence: number; hash: Buffer };

function linksOf(rows: readonly ChainedRow[], head: { sequence: number; hash: Buffer }): Link[] {
  let { hash } = head;
  return rows.map((row, index) => {
    const sequence = head.sequence + 1 + index;
    hash = hashEvent(hash, sequence, row);
    return { id: row.id, sequence, hash };
  });
}

async function fillIn(trx: Executor, accountId: string, links: readonly Link[]): Promise<void> {
  const ids = links.map(({ id }) => id);
  await sql`
    update audit_events set sequence = link.sequence, hash = link.hash
    from unnest(${ids}::text[], ${links.map(({ sequence }) => sequence)}::bigint[],
      ${links.map(({ hash }) => hash)}::bytea[]) link (id, sequence, hash)
    where audit_events.account_id = ${accountId} and audit_events.id = link.id
      and audit_events.id between ${ids.at(0)} and ${ids.at(-1)}
  `.execute(trx);
}

async function claimHeads(trx: Executor, nowMs: number): Promise<ChainHead[]> {
  const { rows } = await sql<ChainHead>`
    update audit_chains set logged_sequence = sequence, logged_at = ${new Date(nowMs)}
    where account_id in (
      select account_id from audit_chains
      where logged_sequence < sequence and (logged_at is null or logged_at <= ${new Date(nowMs - loggedEveryMs)})
      order by logged_at nulls first limit 1000 for update skip locked
    )
    returning account_id as "accountId", sequence, hash
  `.execute(trx);
  return rows;
}
