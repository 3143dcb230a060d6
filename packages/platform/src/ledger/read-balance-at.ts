import { sql, type Kysely, type RawBuilder } from "kysely";
import type { LedgerTables } from "./tables.ts";

type BalanceRequest = {
  accountId: string;
  ledgerAccountId: string;
  /** Null: now, including transactions that are not sealed yet. */
  at: Date | null;
};

/** The time after which every created row is sealed, because no transaction is open for longer. */
export const settledMs = 60_000;

/**
 * The sum that a checkpoint stored, and the entries after it. With `at`, all entries that count are sealed, so the
 * result never changes, and costs the same however long ago it was. Null beyond the range of a number. Entries are read
 * by the range of their transaction: by their ledger account they would be all entries of a clearing account.
 */
export async function readBalanceAt(
  db: Kysely<LedgerTables>,
  { accountId, ledgerAccountId, at }: BalanceRequest,
): Promise<number | null> {
  const { rows } = await sql<{ balance: string }>`
    with kept as (
      select coalesce(max(to_sequence), 0) as to_sequence from (
        select to_sequence from ledger_checkpoints
        where account_id || '' = ${accountId} and latest_at <= ${at ?? "infinity"}
        order by latest_at desc, to_sequence desc limit 1
      ) as last
    ), later as (${at === null ? selectSinceKept(accountId) : selectUntil(accountId, at)})
    select (
      coalesce((
        select balance from ledger_checkpoint_sums
        where account_id = ${accountId} and ledger_account_id = ${ledgerAccountId}
          and to_sequence <= (select to_sequence from kept)
        order by account_id desc, ledger_account_id desc, to_sequence desc limit 1
      ), 0) + coalesce((
        select sum(case direction when 'credit' then amount else -amount end)
        from later cross join lateral (
          select ledger_account_id, direction, amount from ledger_entries
          where account_id = ${accountId} and id > later.id || '_' and id < later.id || '\`'
          order by account_id, id limit 100
        ) as entries
        where ledger_account_id = ${ledgerAccountId}
      ), 0)
    )::text as balance
  `.execute(db);
  const balance = Number(rows[0]?.balance ?? 0);
  return Number.isSafeInteger(balance) ? balance : null;
}

function selectSinceKept(accountId: string): RawBuilder<unknown> {
  return sql`
    select id from ledger_transactions
    where account_id between ${accountId} and ${accountId} and sequence is null
    order by account_id, posting_no`;
}

function selectUntil(accountId: string, at: Date): RawBuilder<unknown> {
  const settled = new Date(at.getTime() + settledMs);
  return sql`
    select id from ledger_transactions
    where account_id || '' = ${accountId} and sequence is not null and created_at <= ${at}
      and sequence > (select to_sequence from kept)
      and sequence <= coalesce((
        select to_sequence from ledger_checkpoints
        where account_id || '' = ${accountId} and latest_at > ${settled}
        order by latest_at, to_sequence limit 1
      ), ${sql.lit(Number.MAX_SAFE_INTEGER)})`;
}
