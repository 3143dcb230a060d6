import type { Currency } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import type { LedgerTables } from "./tables.ts";

/** The effect of a sealed ledger transaction in one currency, in minor units: credits less debits. */
export type CurrencyChange = {
  currency: Currency;
  owned: bigint;
  pending: bigint;
  venue: bigint;
  fees: bigint;
};

export type SealedChange = { sequence: number; id: string; createdAt: Date; changes: readonly CurrencyChange[] };

/** For readers that follow the ledger: sealed transactions never change, and keep their order. */
export interface SealedChanges {
  /** Without gaps. A transaction within wallets, or between own accounts, has no changes. */
  list(input: { accountId: string; after: number; limit: number }): Promise<SealedChange[]>;
}

export function createSealedChanges(db: Kysely<LedgerTables>): SealedChanges {
  return { list: (input) => listChanges(db, input) };
}

type Row = { sequence: number; id: string; created_at: Date; changes: ChangeRow[] };
type ChangeRow = Record<keyof CurrencyChange, string>;

/** Reads entries by the range of the primary key that belongs to their transaction, whatever the planner believes. */
async function listChanges(
  db: Kysely<LedgerTables>,
  { accountId, after, limit }: Parameters<SealedChanges["list"]>[0],
): Promise<SealedChange[]> {
  const { rows } = await sql<Row>`
    select sequence, id, created_at, changes
    from (
      select sequence, id, created_at from ledger_transactions
      where account_id || '' = ${accountId} and sequence > ${after} and sequence is not null
      order by account_id || '', sequence limit ${limit}
    ) as sealed cross join lateral (
      select coalesce(json_agg(json_build_object('currency', currency, 'owned', owned::text, 'pending', pending::text,
        'venue', venue::text, 'fees', fees::text) order by currency), '[]') as changes
      from (
        select currency,
          coalesce(sum(amount) filter (where purpose in ('available', 'held')), 0) as owned,
          coalesce(sum(amount) filter (where purpose = 'pending'), 0) as pending,
          coalesce(sum(amount) filter (where purpose = 'venue'), 0) as venue,
          coalesce(sum(amount) filter (where purpose = 'fees'), 0) as fees
        from (
          select ledger_account_id, case direction when 'credit' then amount else -amount end as amount
          from ledger_entries
          where account_id = ${accountId} and id > sealed.id || '_' and id < sealed.id || '\`'
          order by account_id, id limit 100
        ) as entries cross join lateral (
          select currency, purpose from ledger_accounts
          where account_id = ${accountId} and id = entries.ledger_account_id limit 1
        ) as places
        where purpose is not null
        group by currency
      ) as sums
      where owned <> 0 or pending <> 0 or venue <> 0 or fees <> 0
    ) as changed
    order by sequence
  `.execute(db);
  return rows.map(({ sequence, id, created_at: createdAt, changes }) => ({
    sequence,
    id,
    createdAt,
    changes: changes.map(changeOf),
  }));
}

function changeOf({ currency, owned, pending, venue, fees }: ChangeRow): CurrencyChange {
  return {
    // Comes from a ledger account, whose currency is a known one.
    currency: currency as Currency,
    owned: BigInt(owned),
    pending: BigInt(pending),
    venue: BigInt(venue),
    fees: BigInt(fees),
  };
}
