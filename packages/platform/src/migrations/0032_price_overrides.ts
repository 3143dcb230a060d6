import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

const id = 'text collate "C"';

/** How it is with an instrument from a time of the account on, all of it: each row has what the one before it leaves. */
const statements = [
  `create table price_overrides (
    account_id ${id} not null references accounts (id),
    symbol ${id} not null,
    starts_at timestamptz not null,
    price_units bigint check (price_units > 0),
    reference_units bigint check (reference_units > 0),
    is_halted boolean not null,
    stale_since timestamptz check (stale_since <= starts_at),
    primary key (account_id, symbol, starts_at),
    check (num_nulls(price_units, reference_units) in (0, 2))
  )`,
];

export const priceOverrides: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) {
      await sql.raw(statement).execute(db);
    }
  },
};
