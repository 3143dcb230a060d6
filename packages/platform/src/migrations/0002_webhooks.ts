import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Webhooks, events, and the deliveries that are both the queue of the dispatchers and what the owner sees.
 *
 * `due_at` is the one time that decides: when the next attempt is due, and while a dispatcher holds the row, when its lease ends.
 * So a delivery whose dispatcher was killed falls due again by itself. A pending delivery of a webhook that is not enabled is
 * held: nothing is written when a webhook stops or starts again.
 */
export const webhooks: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of [...tables, ...indexes, ...triggers]) {
      await sql.raw(statement).execute(db);
    }
  },
};

const id = 'text collate "C"';

const tables = [
  `create table webhooks (
    id ${id} primary key,
    account_id ${id} not null references accounts (id),
    url text not null,
    events text[] not null,
    description text,
    status text not null check (status in ('enabled', 'disabled', 'failed')),
    status_changed_at timestamptz,
    secret bytea not null,
    previous_secret bytea,
    previous_secret_ends_at timestamptz,
    warned_at timestamptz,
    created_at timestamptz not null,
    deleted_at timestamptz
  )`,
  `create table events (
    id ${id} primary key,
    account_id ${id} not null references accounts (id),
    type text not null,
    body text not null,
    is_test boolean not null default false,
    created_at timestamptz not null
  )`,
  `create table deliveries (
    id ${id} primary key,
    account_id ${id} not null references accounts (id),
    webhook_id ${id} not null references webhooks (id) on delete cascade,
    event_id ${id} not null references events (id) on delete cascade,
    status text not null check (status in ('pending', 'delivered', 'failed')),
    attempt_count integer not null,
    schedule_position integer not null,
    due_at timestamptz,
    lease text,
    created_at timestamptz not null,
    finished_at timestamptz,
    check ((status = 'pending') = (due_at is not null))
  )`,
  `create table delivery_attempts (
    delivery_id ${id} not null references deliveries (id) on delete cascade,
    number integer not null,
    started_at timestamptz not null,
    duration_ms integer not null,
    outcome text not null,
    http_status smallint,
    response_start text,
    is_manual boolean not null,
    primary key (delivery_id, number)
  )`,
  `create table mails (
    id ${id} primary key,
    account_id ${id} not null references accounts (id),
    webhook_id ${id} not null references webhooks (id) on delete cascade,
    kind text not null check (kind in ('webhook_warning', 'webhook_failed')),
    created_at timestamptz not null,
    due_at timestamptz,
    attempt_count integer not null
  )`,
];

const indexes = [
  `create index webhooks_by_account on webhooks (account_id, id) where deleted_at is null`,
  // Deleted ones too: their deliveries are listed as long as all history.
  `create index all_webhooks_by_account on webhooks (account_id, id)`,
  `create index events_by_account on events (account_id, id)`,
  `create index events_by_age on events (created_at)`,
  `create index deliveries_by_account on deliveries (account_id, id)`,
  `create index deliveries_by_webhook on deliveries (webhook_id, id)`,
  `create index deliveries_by_event on deliveries (event_id)`,
  // The queue: one probe finds the next due delivery of an endpoint, however many wait behind it.
  `create index deliveries_due on deliveries (webhook_id, due_at, id) where status = 'pending'`,
  // Nearly all deliveries are delivered: a list of the others must not read those first.
  `create index deliveries_undelivered on deliveries (webhook_id, status, id) where status <> 'delivered'`,
  `create index deliveries_leased on deliveries (webhook_id) where lease is not null`,
  `create index mails_due on mails (due_at) where due_at is not null`,
];

/**
 * Wakes the dispatchers at the commit that made something due; equal notifications of one transaction are sent once. An insert of
 * no rows wakes nobody: most events have no webhook that asks for them.
 */
const triggers = [
  `create function notify_deliveries_inserted() returns trigger language plpgsql as $$
  begin
    if exists (select from inserted) then
      perform pg_notify('deliveries_due', '');
    end if;
    return null;
  end $$`,
  `create trigger deliveries_inserted after insert on deliveries referencing new table as inserted
    for each statement execute function notify_deliveries_inserted()`,
  `create function notify_webhook_enabled() returns trigger language plpgsql as $$
  begin
    perform pg_notify('deliveries_due', '');
    return null;
  end $$`,
  `create trigger webhooks_enabled after update of status on webhooks for each row
    when (new.status = 'enabled' and old.status <> 'enabled') execute function notify_webhook_enabled()`,
];
