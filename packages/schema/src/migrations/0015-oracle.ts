import { id, runStatements } from "../statements.ts";

/**
 * One key signs at a time. A pinned round never changes, nor does anything that is needed to verify it. `kept_prices`
 * are the prices of an external oracle at a moment, null when there was none.
 */
export const oracle = runStatements([
  `create table price_signing_keys (
    id ${id} primary key,
    algorithm ${id} not null check (algorithm = 'EdDSA'),
    public_x text not null,
    private_d bytea not null,
    created_at timestamptz not null,
    retired_at timestamptz check (retired_at >= created_at)
  )`,
  `create unique index price_signing_keys_that_signs on price_signing_keys ((retired_at is null))
    where retired_at is null`,
  `create index price_signing_keys_by_algorithm on price_signing_keys (algorithm, id)`,
  `create table price_rounds (
    scope ${id} not null,
    symbol ${id} not null,
    round_id bigint not null check (round_id >= 0),
    signature text not null,
    pinned_at timestamptz not null default gateway_now(),
    primary key (scope, symbol, round_id)
  )`,
  `create function refuse_price_round_change() returns trigger language plpgsql as $$
  begin
    raise exception 'A price round that is pinned never changes.';
  end $$`,
  `create trigger price_rounds_stay before update or delete on price_rounds
    for each row execute function refuse_price_round_change()`,
  `create table kept_prices (
    account_id ${id} not null,
    at timestamptz not null,
    symbol ${id} not null,
    price text,
    round_id bigint,
    is_stale boolean not null,
    primary key (account_id, at, symbol),
    check ((price is null) = (round_id is null))
  )`,
]);
