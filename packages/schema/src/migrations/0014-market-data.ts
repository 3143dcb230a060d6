import { id, runStatements } from "../statements.ts";

/** The state of an instrument since a time of the account. Each row continues the one before it. */
export const marketData = runStatements([
  `create table price_overrides (
    account_id ${id} not null,
    symbol ${id} not null,
    starts_at timestamptz not null,
    price_units bigint check (price_units > 0),
    reference_units bigint check (reference_units > 0),
    is_halted boolean not null,
    stale_since timestamptz check (stale_since <= starts_at),
    primary key (account_id, symbol, starts_at),
    check (num_nulls(price_units, reference_units) in (0, 2))
  )`,
]);
