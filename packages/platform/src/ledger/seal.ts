import type { LedgerDeps } from "./ledger-deps.ts";
import { transaction, type Transaction } from "@gateway/database";
import { createHash } from "node:crypto";
import { sql, type Kysely, type RawBuilder } from "kysely";
import type { LedgerTables } from "./tables.ts";

const mostPerTurn = 1_000;
const mostAccounts = 100;

const noHash = Buffer.alloc(32);

export type Seals = ReturnType<typeof createSeals>;

/** How far the chain is correct, and the first fault behind that. `unsealed` transactions cannot be verified yet. */
export type Verification = { sealed: number; hash: Buffer; unsealed: number; fault: string | null };

export function createSeals(db: Kysely<LedgerTables>, deps: LedgerDeps) {
  const sealAs =
    (lock: SealLock) =>
    (accountId: string): Promise<number> =>
      transaction(db, async (trx) => ((await lock(trx, accountId)) ? sealTurn(trx, deps, accountId) : 0));
  const seal = sealAs(tryLock);
  const sealWaiting = sealAs(waitForLock);
  return {
    /** One turn of one account. Seals nothing while another process seals it. */
    seal,
    /**
     * Numbers and chains what is not sealed yet, in all accounts that have some. Returns the number of transactions.
     */
    sealAll: async () => {
      let count = 0;
      // Continues to the last account, however many there are: a round that restarted earlier would never reach the
      // last.
      let accounts = await findUnsealed(db, "");
      while (accounts.length > 0) {
        for (const accountId of accounts) {
          let turn: number;
          do {
            turn = await seal(accountId);
            count += turn;
          } while (turn === mostPerTurn);
        }
        accounts = await findUnsealed(db, accounts.at(-1) ?? "");
      }
      return count;
    },
    /** Seals everything in an account that is committed by now. Waits for another process that seals it. */
    sealNow: async (accountId: string) => {
      while ((await sealWaiting(accountId)) === mostPerTurn) {
        // The next turn.
      }
    },
    /** Follows the chain of an account from its beginning, while others post and seal. */
    verify: (accountId: string) => verifyChain(db, accountId),
    listAccounts: () => listAccounts(db),
  };
}

/** The next accounts after one. */
function findUnsealed(db: Kysely<LedgerTables>, behind: string): Promise<string[]> {
  return stepThroughAccounts(db, {
    behind,
    next: (after) => sql`
      select account_id from ledger_transactions
      where sequence is null and account_id > ${after} order by account_id limit 1
    `,
    most: mostAccounts,
  });
}

/** Includes an account that has lost all its transactions, or all its checkpoints. */
function listAccounts(db: Kysely<LedgerTables>): Promise<string[]> {
  const nextIn = (table: string, after: Fragment) => sql`
    (select account_id from ${sql.table(table)} where account_id > ${after} order by account_id limit 1)
  `;
  return stepThroughAccounts(db, {
    next: (after) => sql`
      ${nextIn("ledger_transactions", after)} union all ${nextIn("ledger_checkpoints", after)} order by account_id limit 1
    `,
    behind: "",
    most: Number.MAX_SAFE_INTEGER,
  });
}

type Fragment = RawBuilder<unknown>;

/** Steps from one account to the next in an index, which costs the same however much an account has. */
async function stepThroughAccounts(
  db: Kysely<LedgerTables>,
  { next, behind, most }: { next: (after: Fragment) => Fragment; behind: string; most: number },
): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    with recursive found as (
      select account_id, 1::bigint as number from (${next(sql`${behind}`)}) as first
      union all
      select following.account_id, number + 1 from found cross join lateral (${next(sql`found.account_id`)}) as following
      where number < ${sql.lit(most)}
    )
    select account_id from found
  `.execute(db);
  return rows.map((row) => row.account_id);
}

type Last = { id: string; to_sequence: number; hash: Buffer; latest_at: Date };

type SealLock = (trx: Transaction<LedgerTables>, accountId: string) => Promise<boolean>;

const nameOfLock = (accountId: string) => sql`hashtextextended('seal ' || ${accountId}, 0)`;

const tryLock: SealLock = async (trx, accountId) => {
  const { rows } = await sql<{ is: boolean }>`
    select pg_try_advisory_xact_lock(${nameOfLock(accountId)}) as is
  `.execute(trx);
  return rows[0]?.is ?? false;
};

const waitForLock: SealLock = async (trx, accountId) => {
  await sql`select pg_advisory_xact_lock(${nameOfLock(accountId)})`.execute(trx);
  return true;
};

/**
 * Seals in the order in which transactions were posted. One that commits late is in a later turn, behind those that did
 * not wait.
 */
async function sealTurn(trx: Transaction<LedgerTables>, deps: LedgerDeps, accountId: string): Promise<number> {
  const last = await findLast(trx, accountId);
  const waiting = await readBooked(trx, {
    accountId,
    which: sql`select * from ledger_transactions where account_id = ${accountId} and sequence is null
      order by account_id, posting_no limit ${sql.lit(mostPerTurn)}`,
    order: sql`posting_no`,
  });
  if (waiting.length === 0) {
    return 0;
  }
  let hash = last?.hash ?? noHash;
  const sealed = waiting.map((booked, index) => {
    const sequence = (last?.to_sequence ?? 0) + 1 + index;
    hash = hashOf(hash, { ...booked, sequence });
    return { id: booked.id, sequence, hash };
  });
  await sql`
    update ledger_transactions set sequence = input.sequence, hash = input.hash
    from unnest(${sealed.map(({ id }) => id)}::text[], ${sealed.map(({ sequence }) => sequence)}::bigint[],
      ${sealed.map((one) => one.hash)}::bytea[]) as input (id, sequence, hash)
    where ledger_transactions.account_id = ${accountId} and ledger_transactions.id = input.id
      and ledger_transactions.id = any(${sealed.map(({ id }) => id)}::text[])
  `.execute(trx);
  const from = (last?.to_sequence ?? 0) + 1;
  const to = from + waiting.length - 1;
  await keepSums(trx, { accountId, from, to });
  const latestMs = Math.max(last?.latest_at.getTime() ?? 0, ...waiting.map(({ createdAt }) => Date.parse(createdAt)));
  await trx
    .insertInto("ledger_checkpoints")
    .values({
      account_id: accountId,
      id: deps.createId("chk"),
      from_sequence: from,
      to_sequence: to,
      hash,
      previous_hash: last?.hash ?? noHash,
      latest_at: new Date(latestMs),
      created_at: new Date(deps.clock.now()),
    })
    .execute();
  return waiting.length;
}

async function findLast(db: Kysely<LedgerTables>, accountId: string): Promise<Last | undefined> {
  const { rows } = await sql<Last>`
    select id, to_sequence, hash, latest_at from ledger_checkpoints
    where account_id || '' = ${accountId} order by latest_at desc, to_sequence desc limit 1
  `.execute(db);
  return rows[0];
}

async function keepSums(
  db: Kysely<LedgerTables>,
  { accountId, from, to }: { accountId: string; from: number; to: number },
): Promise<void> {
  await sql`
    with moved as (
      select ledger_account_id, sum(case direction when 'credit' then amount else -amount end) as change
      from ledger_transactions cross join lateral (
        select ledger_account_id, direction, amount from ledger_entries
        where ledger_entries.account_id = ${accountId} and ledger_entries.id > ledger_transactions.id || '_'
          and ledger_entries.id < ledger_transactions.id || '\`'
        order by ledger_entries.account_id, ledger_entries.id limit 100
      ) as entries
      where account_id || '' = ${accountId} and sequence between ${from} and ${to} and sequence is not null
      group by ledger_account_id
    )
    insert into ledger_checkpoint_sums (account_id, ledger_account_id, to_sequence, balance)
    select ${accountId}, ledger_account_id, ${to}, change + coalesce((
      select balance from ledger_checkpoint_sums sums
      where sums.account_id = ${accountId} and sums.ledger_account_id = moved.ledger_account_id
      order by sums.account_id desc, sums.ledger_account_id desc, sums.to_sequence desc limit 1
    ), 0)
    from moved
  `.execute(db);
}

type Booked = {
  id: string;
  kind: string;
  cause: { type: string; id: string } | null;
  entries: [ledgerAccountId: string, direction: string, amount: string, balanceAfter: string | null][];
  /** ISO 8601, in whole milliseconds like all times that we write, or else to the microsecond. */
  createdAt: string;
  reverses: string | null;
  externalId: string | null;
  description: string | null;
  metadata: Record<string, string>;
  sequence: number | null;
  hash: Buffer | null;
};

async function readBooked(
  db: Kysely<LedgerTables>,
  { accountId, which, order }: { accountId: string; which: Fragment; order: Fragment },
): Promise<Booked[]> {
  const { rows } = await sql<Booked>`
    select booked.id, kind, case when cause_id is not null then json_build_object('type', cause_type, 'id', cause_id) end as cause,
      entries, reverses, external_id as "externalId", description, metadata, sequence, hash,
      replace(to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US AD'), '000 AD', 'Z') as "createdAt"
    from (${which}) as booked cross join lateral (
      select coalesce(json_agg(json_build_array(ledger_account_id, direction, amount::text, balance_after::text) order by id), '[]')
        as entries
      from ledger_entries
      where ledger_entries.account_id = ${accountId} and ledger_entries.id > booked.id || '_'
        and ledger_entries.id < booked.id || '\`' and ledger_entries.created_at = booked.created_at
    ) as sides
    order by ${order}
  `.execute(db);
  return rows;
}

/**
 * Covers the previous hash, and the transaction as JSON with its members in this order; those of `metadata` by name.
 */
function hashOf(previous: Buffer, booked: Booked): Buffer {
  const text = JSON.stringify([
    booked.sequence,
    booked.id,
    booked.kind,
    booked.cause === null ? null : [booked.cause.type, booked.cause.id],
    booked.entries,
    booked.createdAt,
    booked.reverses,
    booked.externalId,
    booked.description,
    Object.entries(booked.metadata).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ]);
  return createHash("sha256").update(previous).update(text).digest();
}

/**
 * Verifies up to the last checkpoint at its beginning, so transactions sealed meanwhile are not a fault. Works in turns
 * of a bounded size.
 */
async function verifyChain(db: Kysely<LedgerTables>, accountId: string): Promise<Verification> {
  const unsealed = await countUnsealed(db, accountId);
  const end = await findEnd(db, accountId);
  const told: Verification = { sealed: 0, hash: noHash, unsealed, fault: null };
  while (told.sealed < end) {
    const turnEnd = Math.min(told.sealed + mostPerTurn, end);
    const turn = await readBooked(db, {
      accountId,
      which: sql`select * from ledger_transactions
        where account_id || '' = ${accountId} and sequence between ${told.sealed + 1} and ${turnEnd}
          and sequence is not null`,
      order: sql`sequence`,
    });
    const bySequence = new Map(turn.map((booked) => [booked.sequence, booked]));
    while (told.sealed < turnEnd) {
      const sequence = told.sealed + 1;
      const booked = bySequence.get(sequence);
      if (!booked) {
        return { ...told, fault: `the ledger transaction of the sequence ${sequence} is missing` };
      }
      const hash = hashOf(told.hash, booked);
      if (!booked.hash?.equals(hash)) {
        return { ...told, fault: `the ledger transaction ${booked.id} (sequence ${sequence}) is not what was sealed` };
      }
      told.sealed = sequence;
      told.hash = hash;
    }
  }
  return { ...told, fault: (await findBrokenCheckpoint(db, accountId)) ?? (await findUnkept(db, accountId)) };
}

/** Finds the end, independent of the times of checkpoints, which no hash covers. */
async function findEnd(db: Kysely<LedgerTables>, accountId: string): Promise<number> {
  const { rows } = await sql<{ to_sequence: number }>`
    select coalesce(max(to_sequence), 0) as to_sequence from ledger_checkpoints where account_id = ${accountId}
  `.execute(db);
  return rows[0]?.to_sequence ?? 0;
}

async function countUnsealed(db: Kysely<LedgerTables>, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ledger_transactions where account_id = ${accountId} and sequence is null
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Checkpoints state how far they reach and by which hashes, and that none before was later: `at` balances rely on that.
 */
async function findBrokenCheckpoint(db: Kysely<LedgerTables>, accountId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id, hash, previous_hash, from_sequence, to_sequence, lag(hash) over by_sequence as hash_before,
        lag(to_sequence) over by_sequence as sequence_before, latest_at < lag(latest_at) over by_sequence as is_earlier
      from ledger_checkpoints where account_id = ${accountId} window by_sequence as (order by to_sequence)
    ) as checkpoints
    where from_sequence <> coalesce(sequence_before, 0) + 1 or previous_hash <> coalesce(hash_before, ${noHash}) or is_earlier
      or hash is distinct from (
        select hash from ledger_transactions
        where account_id || '' = ${accountId} and sequence = to_sequence and sequence is not null
      )
    order by to_sequence limit 1
  `.execute(db);
  return rows[0] ? `the checkpoint ${rows[0].id} is not what was sealed` : null;
}

/**
 * Each turn stores its checkpoint in its own transaction. So a transaction behind the last one has lost it, or is
 * forged.
 */
async function findUnkept(db: Kysely<LedgerTables>, accountId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from ledger_transactions
    where account_id || '' = ${accountId} and sequence is not null and sequence > coalesce((
      select max(to_sequence) from ledger_checkpoints where account_id = ${accountId}
    ), 0)
    order by sequence limit 1
  `.execute(db);
  return rows[0] ? `the ledger transaction ${rows[0].id} is sealed behind the last checkpoint` : null;
}
