import { sql, type Kysely } from "kysely";
import { chainedColumns, firstHash, hashEvent, type ChainedRow, type ChainHead } from "./audit-chain.ts";
import { hashPersonal } from "./audit-event.ts";
import type { AuditTables } from "./tables.ts";

/**
 * `wrong`: the first event that differs from its sealed form, or the place of a missing one; null when there is none.
 */
export type ChainVerdict = {
  head: ChainHead;
  /** Events that are not in the chain yet, so changes to them cannot be detected. */
  unsealed: number;
  wrong: { id: string | null; sequence: number; reason: string } | null;
};

type SealedRow = ChainedRow & {
  sequence: number;
  hash: Buffer;
  personal: string | null;
  personal_salt: Buffer | null;
};

const batchSize = 1_000;

/** Reads the chain to its head. `logged`, a head from the log, reveals a chain that was rewritten as a whole. */
export async function verifyChain(
  db: Kysely<AuditTables>,
  { accountId, logged = null }: { accountId: string; logged?: Omit<ChainHead, "accountId"> | null },
): Promise<ChainVerdict> {
  const chain = await db.selectFrom("audit_chains").selectAll().where("account_id", "=", accountId).executeTakeFirst();
  const head = { accountId, sequence: chain?.dropped_sequence ?? 0, hash: chain?.dropped_hash ?? firstHash };
  const unsealed = await countUnsealed(db, accountId);
  for (let after: Position = { sequence: 0, id: "" }, rows = await readRows(db, accountId, after); rows.length > 0;) {
    for (const row of rows) {
      const reason = findFault(row, head) ?? findLoggedFault(row, logged);
      if (reason !== null) {
        return { head, unsealed, wrong: { id: row.id, sequence: row.sequence, reason } };
      }
      head.sequence = row.sequence;
      head.hash = row.hash;
      after = row;
    }
    rows = await readRows(db, accountId, after);
  }
  const end = Math.max(chain?.sequence ?? 0, logged?.sequence ?? 0);
  const isEnd = end === head.sequence && (chain?.hash ?? firstHash).equals(head.hash);
  const next = head.sequence + 1;
  const reason =
    end > head.sequence ? `events ${next} to ${end} are gone` : "the end of the chain is not the one that was kept";
  return { head, unsealed, wrong: isEnd ? null : { id: null, sequence: next, reason } };
}

type Position = { sequence: number; id: string };

async function readRows(db: Kysely<AuditTables>, accountId: string, after: Position): Promise<SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    select ${chainedColumns}, sequence, hash, personal, personal_salt from audit_events
    where account_id = ${accountId} and sequence is not null and (sequence, id) > (${after.sequence}, ${after.id})
    order by sequence, id limit ${batchSize}
  `.execute(db);
  return rows;
}

function findFault(row: SealedRow, { sequence, hash }: Omit<ChainHead, "accountId">): string | null {
  if (row.sequence !== sequence + 1) {
    return row.sequence > sequence + 1
      ? `events ${sequence + 1} to ${row.sequence - 1} before it are gone`
      : "its place in the chain is taken";
  }
  if (!hashEvent(hash, row.sequence, row).equals(row.hash)) {
    return "it is not what was sealed, or what was before it is not";
  }
  const { personal, personal_salt: salt, personal_hash: personalHash } = row;
  const isPersonalKept =
    personal === null || (salt !== null && hashPersonal(salt, personal).equals(personalHash ?? firstHash));
  return isPersonalKept ? null : "its personal data is not what was recorded";
}

function findLoggedFault(row: SealedRow, logged: Omit<ChainHead, "accountId"> | null): string | null {
  return logged?.sequence === row.sequence && !logged.hash.equals(row.hash)
    ? "its hash is not the one that was logged: the chain was rewritten"
    : null;
}

async function countUnsealed(db: Kysely<AuditTables>, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from audit_events where account_id = ${accountId} and sequence is null
  `.execute(db);
  return rows[0]?.count ?? 0;
}
