import { busy, id, runStatements } from "../statements.ts";

/**
 * Work that time causes (`work_items`), reports of external systems (`inbox_facts`), and future reports of simulated
 * ones.
 */
export const work = runStatements([
  // `fires_at` is in the account's time, `due_at` in Postgres'. While an item is claimed, `due_at` is the end of its
  // lease. `lease` names the claim, and is null without one. `attempts` counts the claims since the item was armed.
  `create table work_items (
    account_id ${id} not null,
    id ${id} not null,
    kind text not null,
    subject_id ${id} not null,
    fires_at timestamptz not null,
    due_at timestamptz not null,
    lease uuid,
    attempts integer not null default 0,
    primary key (account_id, id),
    unique (account_id, kind, subject_id)
  ) ${busy}`,
  `create index work_items_due on work_items (due_at)`,
  `create index work_items_of_account on work_items (account_id, due_at)`,
  `create index work_items_failing on work_items (due_at) where attempts >= 20`,

  `create table inbox_facts (
    account_id ${id} not null,
    id ${id} not null,
    port text not null,
    fact_id text not null,
    subject_id ${id} not null,
    fact jsonb not null,
    disputed jsonb,
    status text not null check (status in ('applied', 'parked', 'mismatched', 'superseded', 'dismissed')),
    received_at timestamptz not null,
    primary key (account_id, id),
    unique (account_id, port, fact_id)
  )`,
  `create index inbox_facts_parked on inbox_facts (account_id, subject_id, received_at, id) where status = 'parked'`,
  `create index inbox_facts_open on inbox_facts (received_at, id)
    where status in ('parked', 'mismatched') or disputed is not null`,

  // Reads after the lock is acquired: each statement within a function sees what was committed when that statement
  // began.
  `create function parked_facts_of(account text, subject text) returns setof inbox_facts language plpgsql as $$
  begin
    perform pg_advisory_xact_lock(hashtextextended('fact ' || account || ' ' || subject, 0));
    return query select * from inbox_facts
      where account_id = account collate "C" and subject_id = subject collate "C" and status = 'parked'
      order by received_at, id;
  end $$`,

  // Future reports of an account's simulated external systems. In production the table stays empty.
  `create table planned_facts (
    account_id ${id} not null,
    id ${id} not null,
    port text not null,
    fact_id text not null,
    fact jsonb not null,
    primary key (account_id, id),
    unique (account_id, port, fact_id)
  )`,

  // An item that is due later does not notify, because each NOTIFY holds up other commits for a moment.
  `create function notify_work_inserted() returns trigger language plpgsql as $$
  begin
    if exists (select from inserted where due_at <= gateway_now() + interval '1 second') then
      perform pg_notify('work_due', '');
    end if;
    return null;
  end $$`,
  `create trigger work_items_inserted after insert on work_items referencing new table as inserted
    for each statement execute function notify_work_inserted()`,
]);
