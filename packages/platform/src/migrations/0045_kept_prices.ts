import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

const id = 'text collate "C"';

/** What an oracle that is somebody else's told the portfolio of a moment; null: that there was no price. */
const statements = [
  `create table kept_prices (
    account_id ${id} not null references accounts (id),
    at timestamptz not null,
    symbol ${id} not null,
    price text,
    round_id bigint,
    is_stale boolean not null,
    primary key (account_id, at, symbol),
    check ((price is null) = (round_id is null))
  )`,
];

export const keptPrices: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) {
      await sql.raw(statement).execute(db);
    }
  },
};
