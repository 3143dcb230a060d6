import { byTime, id, runStatements } from "../statements.ts";

/**
 * The portfolio, derived from the ledger. Sums may exceed a bigint, so they are numerics. `portfolios` has how far the
 * ledger is counted, the last valuation, and when the next one is due.
 */
export const portfolio = runStatements([
  `create table portfolios (
    account_id ${id} primary key,
    sequence bigint not null check (sequence >= 0),
    net_flow numeric not null,
    next_daily_at timestamptz,
    valuation_id ${id},
    valued_at timestamptz,
    valued_equity numeric not null default 0,
    valued_flow numeric not null default 0,
    check ((valuation_id is null) = (valued_at is null))
  )`,
  `create table positions (
    account_id ${id} not null,
    currency ${id} not null,
    quantity numeric not null check (quantity >= 0),
    pending numeric not null check (pending >= 0),
    cost numeric not null,
    realized numeric not null,
    primary key (account_id, currency)
  )`,
  `create table valuations (
    account_id ${id} not null,
    id ${id} not null,
    kind ${id} not null check (kind in ('daily', 'requested')),
    at timestamptz not null,
    ledger_sequence bigint not null check (ledger_sequence >= 0),
    previous_id ${id},
    equity numeric not null,
    net_flow numeric not null,
    profit numeric not null,
    lines jsonb not null check (jsonb_typeof(lines) = 'array'),
    external_id text,
    metadata jsonb not null,
    created_at timestamptz not null,
    primary key (account_id, id)
  )`,
  `create unique index valuations_by_external_id on valuations (account_id, external_id) where external_id is not null`,
  `create index valuations_by_time on valuations (${byTime})`,
]);
