import { byTime, greatest, id, runStatements } from "../statements.ts";

const amount = `bigint not null default 0 check (%s between 0 and ${greatest})`;
const amountOf = (name: string): string => `${name} ${amount.replace("%s", name)}`;
const notEnded = "status in ('accepted', 'open', 'partially_filled')";

/** The most open orders of an account: `maxOpenOrders` when this was written. */
const mostOpen = 200;
const seats = 100;

const countOpen = `counted := (select count(*) from orders
        where account_id || '' = account collate "C" and status in ('accepted', 'open', 'partially_filled'));`;

/**
 * Orders and their fills. `notional_sum` and `fee_sum` are exact, in fractions of minor units: see order-money.ts.
 * `carried_…` are the parts of them that a replacement took over. `hold` is the total set aside for an order, and
 * `charged` the part of it that fills took.
 */
export const execution = runStatements([
  `create table orders (
    account_id ${id} not null,
    id ${id} not null,
    symbol ${id} not null,
    base text not null,
    quote text not null,
    price_scale smallint not null check (price_scale between 0 and 10),
    side text not null check (side in ('buy', 'sell')),
    type text not null check (type in ('market', 'limit')),
    quantity bigint check (quantity between 1 and ${greatest}),
    quote_amount bigint check (quote_amount between 1 and ${greatest}),
    limit_price text,
    time_in_force text not null check (time_in_force in ('gtc', 'gtd', 'ioc', 'fok')),
    expires_at timestamptz,
    base_wallet_id ${id} not null,
    quote_wallet_id ${id} not null,
    status ${id} not null check (status in
      ('accepted', 'open', 'partially_filled', 'filled', 'canceled', 'expired', 'replaced', 'rejected')),
    ${amountOf("filled_quantity")},
    notional_sum numeric not null default 0,
    fee_sum numeric not null default 0,
    carried_notional numeric not null default 0,
    carried_fee numeric not null default 0,
    ${amountOf("fee")},
    ${amountOf("hold")},
    ${amountOf("charged")},
    replaces ${id},
    replacement_id ${id},
    total_quantity bigint,
    is_waiting boolean not null default false,
    submitted_at timestamptz,
    cancel_requested_at timestamptz,
    rejection_code text,
    closed_at timestamptz,
    external_id text,
    metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
    created_at timestamptz not null,
    primary key (account_id, id),
    foreign key (account_id, base_wallet_id) references wallets (account_id, id),
    foreign key (account_id, quote_wallet_id) references wallets (account_id, id),
    check (filled_quantity <= quantity),
    check (charged <= hold),
    check (num_nulls(quantity, quote_amount) = 1),
    check ((quote_amount is not null) = (type = 'market' and side = 'buy')),
    check ((type = 'limit') = (limit_price is not null)),
    check ((time_in_force = 'gtd') = (expires_at is not null)),
    check ((${notEnded}) = (closed_at is null)),
    check ((status = 'rejected') = (rejection_code is not null)),
    check ((replaces is null) = (total_quantity is null)),
    check (replaces is not null or not is_waiting),
    check (status <> 'replaced' or replacement_id is not null)
  )`,
  `create unique index orders_by_external_id on orders (external_id, account_id) where external_id is not null`,
  `create index orders_by_time on orders (${byTime})`,
  `create index orders_by_symbol on orders (symbol, account_id, id)`,
  `create index orders_by_status on orders (status, account_id, id)`,
  `create index orders_by_symbol_and_status on orders (((symbol || ' ' || status) collate "C"), account_id, id)`,
  // The orders that the limit counts.
  `create index orders_not_ended on orders ((account_id || '')) where ${notEnded}`,
  `create table fills (
    account_id ${id} not null,
    id ${id} not null,
    order_id ${id} not null,
    venue_fill_id ${id} not null,
    quantity bigint not null check (quantity between 1 and ${greatest}),
    price text not null,
    notional bigint not null check (notional between 0 and ${greatest}),
    fee bigint not null check (fee between 0 and ${greatest}),
    liquidity text not null check (liquidity in ('maker', 'taker')),
    executed_at timestamptz not null,
    ledger_transaction_id ${id} not null,
    created_at timestamptz not null,
    primary key (account_id, id)
  )`,
  `create unique index fills_by_venue_fill on fills (venue_fill_id, order_id, account_id)`,
  `create index fills_by_order on fills (order_id, account_id, id)`,
  `create index fills_by_time on fills (${byTime})`,
  // While an account has few open orders, as many calls count at once as there are seats. Each call holds a seat, so
  // the orders that it does not see are fewer than the seats. A call that counts more releases its locks, and counts
  // alone.
  `create function count_open_orders(account text) returns bigint language plpgsql as $$
  declare
    counted bigint;
  begin
    begin
      perform pg_advisory_xact_lock_shared(hashtextextended('orders ' || account, 0));
      perform pg_advisory_xact_lock(hashtextextended('orders ' || account || ' ' || pg_backend_pid() % ${seats}, 0));
      ${countOpen}
      if counted <= ${mostOpen} - ${seats} + 1 then
        return counted;
      end if;
      raise sqlstate 'GW001';
    exception when sqlstate 'GW001' then
    end;
    perform pg_advisory_xact_lock(hashtextextended('orders ' || account, 0));
    ${countOpen}
    return counted;
  end $$`,
]);
