import { sql, type RawBuilder } from "kysely";
import { decidedOtherwise, standOtherwise } from "./machines.ts";

/** A condition that must hold at every moment. `faults` selects the violations, a line each, as `fault`. */
export type Invariant = { number: number; text: string; faults: RawBuilder<{ fault: string }> };

export type InvariantOptions = {
  /** Patterns of personal data that no row may contain in the clear. Without any, this is not judged. */
  secrets: readonly string[];
  /** All tables with rows that may contain data. Partitions are read with their parents. */
  tables: readonly string[];
};

const greatest = "9007199254740991";
/** Covers the lease of a killed worker, and a database that is down for a while. */
const overdue = "75 seconds";

const signed = sql.raw("case direction when 'credit' then amount else -amount end");

/**
 * Unfinished payments, transfers, orders and deposits hold money of a wallet, in this part of it. Rows of (wallet_id,
 * part, amount). A service that holds money adds its own rows.
 */
const holdings = sql.join(
  [
    sql`select wallet_id, 'held' as part, (amount + fee)::numeric as amount from payments
      where status = 'initiated' and counterparty_id is not null`,
    sql`select wallet_id, 'held', amount + fee from transfers where status in ('initiated', 'broadcast')`,
    sql`select case side when 'buy' then quote_wallet_id else base_wallet_id end, 'held', hold - charged from orders
      where status in ('accepted', 'open', 'partially_filled')`,
    sql`select wallet_id, 'pending', amount from deposits where status = 'detected'`,
  ],
  sql` union all `,
);

const balanced = sql<{ fault: string }>`
  select 'the entries of ' || entries.account_id || ' in ' || coalesce(currency, 'no currency') || ' sum up to ' || sum(${signed}) as fault
  from ledger_entries as entries left join ledger_accounts as places
    on places.account_id = entries.account_id and places.id = ledger_account_id
  group by entries.account_id, currency having sum(${signed}) <> 0 or currency is null
  union all
  select 'the entries of ' || split_part(entries.id, '_0', 1) || ' belong to no ledger transaction' from ledger_entries as entries
  where not exists (
    select from ledger_transactions as booked
    where booked.account_id = entries.account_id and booked.id = left(entries.id, length(entries.id) - 3)
  )`;

const counted = sql<{ fault: string }>`
  with booked as (
    select account_id, ledger_account_id, sum(${signed}) as sum from ledger_entries group by account_id, ledger_account_id
  )
  select 'the wallet ' || wallets.id || ' has ' || balance || ' ' || part || ', and its entries say ' || coalesce(booked.sum, 0) as fault
  from wallets cross join lateral (values ('available', available), ('pending', pending), ('held', held)) as parts (part, balance)
  left join booked on booked.account_id = wallets.account_id and ledger_account_id = ledger_account_id(wallets.id, part)
  where balance <> coalesce(booked.sum, 0) or balance < 0
  union all
  select 'the wallet ' || id || ' has more than can be written' from wallets
  where available::numeric + pending + held > ${sql.raw(greatest)}
  union all
  select 'the ledger account ' || id || ' has ' || balance || ', and its entries say ' || coalesce(booked.sum, 0) from ledger_accounts
  left join booked on booked.account_id = ledger_accounts.account_id and booked.ledger_account_id = id
  where kind = 'own' and (balance <> coalesce(booked.sum, 0) or (balance < 0 and not may_be_negative))`;

const held = sql<{ fault: string }>`
  with owed as (select wallet_id, part, sum(amount) as sum from (${holdings}) as holdings group by wallet_id, part)
  select 'the wallet ' || id || ' has ' || balance || ' ' || parts.part || ', and what is under way ' || coalesce(owed.sum, 0) as fault
  from wallets cross join lateral (values ('held', held), ('pending', pending)) as parts (part, balance)
  left join owed on wallet_id = id and owed.part = parts.part where balance <> coalesce(owed.sum, 0)`;

/**
 * The audit log has each transition of a wallet except one: promised money freezes a closed wallet. So a wallet that
 * was closed and has had money may be frozen, and it may be active if it was unfrozen. `machines` has the other
 * resources with states.
 */
const movedOnce = sql<{ fault: string }>`
  with moves as (
    select resource_id, count(*) filter (where type = 'wallet.frozen') - count(*) filter (where type = 'wallet.unfrozen') as frozen,
      count(*) filter (where type = 'wallet.closed') as closed, count(*) filter (where type = 'wallet.unfrozen') as unfrozen
    from audit_events where type in ('wallet.frozen', 'wallet.unfrozen', 'wallet.closed') group by resource_id
  )
  select 'the wallet ' || id || ' is ' || status || ', and was frozen ' || coalesce(frozen, 0) || ' times more than unfrozen, and closed '
    || coalesce(closed, 0) || ' times' as fault
  from wallets left join moves on resource_id = id
  where not case
    when version > 0 and closed > 0 then status <> 'active' or unfrozen > 0
    when status = 'closed' then closed = 1 and frozen between 0 and 1
    when status = 'frozen' then frozen = 1 and closed = 0
    else coalesce(frozen, 0) = 0 and coalesce(closed, 0) = 0
  end
  union all
  select 'the ledger transaction ' || reversed.id || ' and its reversal do not name one another' from ledger_transactions as reversed
  full join ledger_transactions as reversal on reversal.account_id = reversed.account_id and reversal.reverses = reversed.id
  where (reversed.reversed_by is not null or reversal.reverses is not null) and reversed.reversed_by is distinct from reversal.id
  union all
  select kind || ' was booked ' || count(*) || ' times for ' || cause_id from ledger_transactions
  where cause_id is not null and cause_type <> 'order' and kind in ('hold', 'release', 'payment', 'transfer') group by account_id, cause_id, kind having count(*) > 1
  union all ${standOtherwise("all")}
  union all ${decidedOtherwise}`;

const told = sql<{ fault: string }>`
  with changes as materialized (
    select id, account_id, object, object ->> 'walletId' as wallet_id, (object ->> 'version')::bigint as version,
      object ->> 'ledgerTransactionId' as ledger_transaction_id
    from (
      select id, account_id, body::jsonb #> '{data,object}' as object from events where type = 'wallet.balance_changed' and not is_test
    ) as bodies
  ),
  numbered as (
    select *, row_number() over of_wallet as number, lag(object -> 'balanceAfter') over of_wallet as before
    from changes window of_wallet as (partition by wallet_id order by version)
  ),
  moved as (
    select distinct entries.account_id, left(entries.id, length(entries.id) - 3) as ledger_transaction_id, wallet_id
    from ledger_entries as entries join ledger_accounts as places
      on places.account_id = entries.account_id and places.id = ledger_account_id and places.kind = 'wallet'
  )
  select 'the event ' || id || ' of the wallet ' || wallet_id || ' has the version ' || version || ' and is number ' || number as fault
  from numbered where number <> version
  union all
  select 'the event ' || id || ' does not begin where the one before it ended' from numbered
  where object -> 'balanceBefore' <> coalesce(before, '{"available": 0, "pending": 0, "held": 0}')
  union all
  select 'the wallet ' || wallets.id || ' has the version ' || wallets.version || ', and not what event ' || coalesce(last.version, 0) || ' told'
  from wallets left join lateral (
    select version, object from changes where wallet_id = wallets.id order by version desc limit 1
  ) as last on true
  where wallets.version <> coalesce(last.version, 0)
    or last.object -> 'balanceAfter' <> jsonb_build_object('available', available, 'pending', pending, 'held', held)
  union all
  select 'the move of ' || coalesce(moved.wallet_id, changes.wallet_id) || ' by ' || coalesce(moved.ledger_transaction_id, id)
    || ' was not told once'
  from moved full join changes using (account_id, ledger_transaction_id, wallet_id)
  group by moved.wallet_id, changes.wallet_id, moved.ledger_transaction_id, id, account_id, ledger_transaction_id, wallet_id
  having moved.wallet_id is null or id is null or count(*) <> 1
  union all
  select 'the wallet ' || wallets.id || ' was told ' || count(created.id) || ' times' from wallets left join (
    select body::jsonb #>> '{data,object,id}' as id from events where type = 'wallet.created' and not is_test
  ) as created on created.id = wallets.id
  group by wallets.id having count(created.id) <> 1
  union all ${standOtherwise("events")}`;

const once = sql<{ fault: string }>`
  select 'the fact ' || fact_id || ' of ' || port || ' is there ' || count(*) || ' times' as fault from inbox_facts
  group by account_id, port, fact_id having count(*) > 1
  union all
  select cause_id || ' took ' || -sum(${signed}) || ' more than was held for it' from ledger_transactions as booked
  join ledger_entries as entries on entries.account_id = booked.account_id
    and entries.id > booked.id || '_' and entries.id < booked.id || '\`'
  join ledger_accounts as places on places.account_id = entries.account_id and places.id = ledger_account_id
  -- A replacement goes on with what was held for the order before: of orders the rows say it.
  where cause_id is not null and cause_type <> 'order' and purpose = 'held'
  group by booked.account_id, cause_id having sum(${signed}) < 0
  union all
  select 'the order ' || orders.id || ' was filled by ' || filled_quantity || ' for a fee of ' || orders.fee || ', and its fills say '
    || coalesce(sum(fills.quantity), 0) || ' and ' || coalesce(sum(fills.fee), 0)
  from orders left join fills on fills.account_id = orders.account_id and fills.order_id = orders.id
  group by orders.account_id, orders.id, filled_quantity, orders.fee, orders.quantity, charged, hold
  having filled_quantity <> coalesce(sum(fills.quantity), 0) or orders.fee <> coalesce(sum(fills.fee), 0)
    or filled_quantity > orders.quantity or charged > hold`;

/** A clock is the sum of its advances, each counted once, and all pending work was moved by the same amount. */
const advanced = sql<{ fault: string }>`
  with advances as (
    select audit_events.account_id, (change ->> 'before')::numeric * 1000 as before_ms, (change ->> 'after')::numeric * 1000 as after_ms
    from audit_events cross join lateral jsonb_array_elements(changes::jsonb) as change
    where type = 'account.clock_advanced' and change ->> 'field' = 'aheadSeconds'
  ),
  clocks as (
    select accounts.id as account_id, coalesce(offset_ms, 0) as offset_ms
    from accounts left join sandbox_clocks on sandbox_clocks.account_id = accounts.id
  )
  select 'the clock of ' || account_id || ' is ahead by ' || offset_ms || ' ms, and was advanced by '
    || coalesce(sum(after_ms - before_ms), 0) as fault
  from clocks left join advances using (account_id)
  group by account_id, offset_ms having offset_ms <> coalesce(sum(after_ms - before_ms), 0)
  union all
  select 'an advance of ' || account_id || ' began at ' || before_ms || ' ms, and the one before it ended at ' || ended_ms
  from (
    select *, lag(after_ms, 1, 0) over (partition by account_id order by after_ms) as ended_ms from advances
  ) as ordered where before_ms <> ended_ms
  union all
  select 'the work item ' || work_items.id || ' falls due ' || fires_at - offset_ms * interval '1 ms' - due_at || ' too soon'
  from work_items join clocks using (account_id)
  where lease is null and attempts = 0 and due_at < fires_at - offset_ms * interval '1 ms' - interval '1 ms'`;

const done = sql<{ fault: string }>`
  select kind || ' of ' || subject_id || ' has been due for ' || gateway_now() - due_at as fault from work_items
  where due_at < gateway_now() - ${sql.lit(overdue)}::interval`;

/** A row in the text format of Postgres. Sealed data are bytes, which are written in hexadecimal digits. */
function inTheClear({ secrets, tables }: InvariantOptions): RawBuilder<{ fault: string }> {
  const patterns = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString("hex")]);
  return sql<{ fault: string }>`
    select 'a row of ' || name || ' holds it in the clear' as fault from (
      ${sql.join(
        tables.map(
          (table) =>
            sql`select ${table} as name from ${sql.table(table)} as of where of::text like any(${patterns.map((text) => `%${text}%`)}::text[])`,
        ),
        sql` union all `,
      )}
    ) as found`;
}

/** Numbered as in the design. The seventh is the chain of hashes, which is followed at the end. */
export function createInvariants(options: InvariantOptions): Invariant[] {
  return [
    { number: 1, text: "currencies of an account whose entries do not balance", faults: balanced },
    { number: 2, text: "balances that are not the sum of their entries", faults: counted },
    { number: 3, text: "wallets that hold what nothing under way holds, or not what it does", faults: held },
    { number: 4, text: "transitions that happened twice, or from an end", faults: movedOnce },
    { number: 5, text: "events of a transition not told once, and changes of a wallet not in order", faults: told },
    { number: 6, text: "facts taken twice, and more charged than held", faults: once },
    ...(options.secrets.length > 0
      ? [{ number: 8, text: "personal data in the clear", faults: inTheClear(options) }]
      : []),
    { number: 9, text: "clocks that are not the sum of their advances", faults: advanced },
    { number: 10, text: "work that stays undone", faults: done },
  ];
}
