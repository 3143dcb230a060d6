import {
  buildIndexes,
  createMissingIndexes,
  findMissingIndexes,
  type Index,
  type LockingMigration,
  type PreparedMigration,
} from "@gateway/database";
import { sql, type Kysely } from "kysely";
import { untilLocked } from "./until-locked.ts";

/** See `walkByTime`. */
const byTime = `account_id collate "POSIX", created_at, id`;

const indexes: Index[] = [
  { name: "counterparties_by_time", on: `counterparties (${byTime})` },
  { name: "ledger_accounts_by_time", on: `ledger_accounts (${byTime})` },
  { name: "ledger_transactions_by_time", on: `ledger_transactions (${byTime})` },
  { name: "wallets_by_time", on: `wallets (${byTime})` },
  { name: "wallets_by_currency", on: "wallets (currency, account_id, id)" },
];

const externalIds: Index[] = [
  {
    name: "wallets_by_external_id",
    on: "wallets (external_id, account_id) where external_id is not null",
    isUnique: true,
  },
];

/** On a column that comes with 0019: where both run together, they are built in the transaction, which has the table anyway. */
const statuses: Index[] = [
  { name: "wallets_by_status", on: "wallets (status, account_id, id)" },
  { name: "wallets_by_status_and_currency", on: "wallets ((status || ' ' || currency), account_id, id)" },
];

/**
 * For lists by time, and of wallets by the caller's own id, by currency and by status. Indexes on tables in use are built while others
 * write. No release before has booked entries: what there is of them gets its time here, past the trigger that keeps them as they are.
 */
export const createdIndexes: PreparedMigration & LockingMigration = {
  indexes,
  locks: ["wallets"],
  async prepare(db) {
    if (await isThere(db, "id")) {
      await untilLocked(db, addExternalId);
      await buildIndexes(db, await findMissingIndexes(db, externalIds));
    }
    if (await isThere(db, "status")) {
      await buildIndexes(db, await findMissingIndexes(db, statuses));
    }
  },
  async up(db: Kysely<unknown>) {
    await addExternalId(db);
    await createMissingIndexes(db, [...indexes, ...externalIds, ...statuses]);
    for (const statement of entries) {
      await sql.raw(statement).execute(db);
    }
  },
};

async function addExternalId(db: Kysely<unknown>): Promise<void> {
  await sql`alter table wallets add column if not exists external_id text`.execute(db);
}

async function isThere(db: Kysely<unknown>, column: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_attribute where attrelid = to_regclass('wallets') and attname = ${column}
  `.execute(db);
  return rows.length > 0;
}

const entries = [
  `alter table ledger_entries add column created_at timestamptz`,
  `alter table ledger_entries disable trigger ledger_entries_are_final`,
  `update ledger_entries set created_at = ledger_transactions.created_at from ledger_transactions
    where ledger_transactions.account_id = ledger_entries.account_id and ledger_transactions.id = substr(ledger_entries.id, 1, 30)`,
  `alter table ledger_entries enable trigger ledger_entries_are_final`,
  `alter table ledger_entries alter column created_at set not null`,
  `create index ledger_entries_by_time on ledger_entries (${byTime})`,
  `create index ledger_entries_of_ledger_account_by_time
    on ledger_entries (ledger_account_id collate "POSIX", account_id, created_at, id)`,
];
