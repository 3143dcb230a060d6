import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

const id = 'text collate "C"';

/** The name and the account number are sealed. All texts are null once the account was erased. */
const statements = [
  `create table counterparties (
    account_id ${id} not null references accounts (id),
    id ${id} not null,
    currency text not null check (currency in ('USD', 'EUR', 'GBP', 'JPY')),
    name bytea,
    account_number bytea,
    account_number_last4 text check (length(account_number_last4) = 4),
    external_id text,
    metadata jsonb not null,
    archived_at timestamptz,
    created_at timestamptz not null,
    primary key (account_id, id),
    check (num_nulls(name, account_number, account_number_last4) in (0, 3))
  )`,
  `create unique index counterparties_by_external_id on counterparties (account_id, external_id)
    where external_id is not null`,
];

export const counterparties: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) {
      await sql.raw(statement).execute(db);
    }
  },
};
