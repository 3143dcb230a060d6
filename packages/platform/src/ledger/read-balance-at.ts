import { sql, type Kysely } from "kysely";
import type { LedgerTables } from "./tables.ts";

type BalanceRequest = {
  accountId: string;
  ledgerAccountId: string;
  /** Null: now, with what is not sealed yet. */
  at: Date | null;
};

/**
 * The entries of each transaction are read by its range of the primary key, whatever the planner believes: by their ledger account they
 * are all that a clearing account ever had.
 *
 * What a ledger account held: the sum that its last checkpoint kept, and the entries after it. With `at` only of what is sealed, and from a
 * checkpoint up to which nothing was created later; so it answers the same for ever. Null beyond what a number holds.
 */
export async function readBalanceAt(
  db: Kysely<LedgerTables>,
  { accountId, ledgerAccountId, at }: BalanceRequest,
): Promise<number | null> {
  const counts = at === null ? sql`true` : sql`sequence is not null and created_at <= ${at}`;
  const { rows } = await sql<{ balance: string }>`
    with kept as (
      select coalesce(max(to_sequence), 0) as to_sequence from (
        select to_sequence from ledger_checkpoints
        where account_id = ${accountId} and ${at === null ? sql`true` : sql`latest_at <= ${at}`}
        order by account_id desc, to_sequence desc limit 1
      ) as last
    ), later as (
      select id from ledger_transactions, kept
      where account_id = ${accountId} and sequence > kept.to_sequence and ${counts}
      union all
      select id from ledger_transactions where account_id = ${accountId} and sequence is null and ${counts}
    )
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
