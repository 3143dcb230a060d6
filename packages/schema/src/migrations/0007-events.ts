import { busy, firstPartition, id, runStatements } from "../statements.ts";

/** The columns whose changes are notified to dispatchers. */
const watched = ["status", "url", "secret", "previous_secret", "deleted_at", "is_suspended"];
const rowOf = (version: string): string => `(${watched.map((column) => `${version}.${column}`).join(", ")})`;

const webhooks = [
  `create table webhooks (
    id ${id} not null,
    account_id ${id} not null,
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
    deleted_at timestamptz,
    is_suspended boolean not null default false,
    created_by jsonb,
    primary key (account_id, id)
  )`,
  `create index webhooks_by_account on webhooks (account_id, id) where deleted_at is null`,
  `create index webhooks_by_maker on webhooks (((created_by ->> 'id') collate "C"), account_id, id)
    where deleted_at is null`,
  // Counts failed webhooks without reading the others.
  `create index failed_webhooks on webhooks (id) where status = 'failed' and deleted_at is null`,
];

/**
 * Events and deliveries are partitioned by the time in their ids (ADR 33). A delivery moves between its two tables, so
 * no foreign key leads to it.
 */
const dated = [
  `create table events (
    id ${id} not null,
    account_id ${id} not null,
    type text not null,
    body text not null,
    is_test boolean not null default false,
    created_at timestamptz not null,
    request_id ${id},
    object_id ${id},
    follow_epoch integer,
    follow_number bigint,
    primary key (account_id, id)
  ) partition by range (id)`,
  `create index events_by_type on events (type, account_id, id)`,
  `create index events_of_object on events (object_id, account_id, id)`,
  `create index events_of_request on events (request_id, account_id, id)`,
  // Rows without a number come last, in the order of their ids. "POSIX" orders as "C" does, and no other index begins
  // so (ADR 31).
  `create index events_followed on events (account_id collate "POSIX", follow_epoch, follow_number, id)`,
  `create trigger events_wake_followers after insert on events
    referencing new table as inserted for each statement execute function wake_followers('events_recorded')`,
  // Reports of an external service, by the id that it gave. A repeated report is the same event.
  `create table upstream_events (
    account_id ${id} not null,
    service text not null,
    told_id text not null,
    event_id ${id} not null,
    created_at timestamptz not null,
    primary key (account_id, service, told_id)
  )`,
  `create index upstream_events_created on upstream_events (created_at)`,
  // The last attempt is in the row of the delivery, earlier ones are in delivery_attempts.
  `create table deliveries (
    id ${id} not null,
    account_id ${id} not null,
    webhook_id ${id} not null,
    event_id ${id} not null,
    status text not null check (status in ('delivered', 'failed')),
    attempt_count integer not null,
    schedule_position integer not null,
    created_at timestamptz not null,
    finished_at timestamptz,
    started_at timestamptz,
    duration_ms integer,
    outcome text,
    http_status smallint,
    response_start text,
    is_manual boolean,
    primary key (account_id, id)
  ) partition by range (id)`,
  `create index deliveries_by_webhook on deliveries (webhook_id, id)`,
  `create index deliveries_by_event on deliveries (event_id)`,
  `create index failed_deliveries_by_account on deliveries (account_id, id) where status = 'failed'`,
  `create index failed_deliveries_by_webhook on deliveries (webhook_id, id) where status = 'failed'`,
  `create table delivery_attempts (
    delivery_id ${id} not null,
    number integer not null,
    started_at timestamptz not null,
    duration_ms integer not null,
    outcome text not null,
    http_status smallint,
    response_start text,
    is_manual boolean not null,
    primary key (delivery_id, number)
  ) partition by range (delivery_id)`,
];

const queue = [
  `create table pending_deliveries (
    account_id ${id} not null,
    id ${id} not null,
    webhook_id ${id} not null,
    event_id ${id} not null,
    attempt_count integer not null,
    schedule_position integer not null,
    due_at timestamptz not null,
    created_at timestamptz not null,
    credit_ms bigint not null default 0,
    primary key (account_id, id)
  ) ${busy}`,
  // Read by dispatchers: the next deliveries of one webhook, however many wait behind them.
  `create index pending_deliveries_due on pending_deliveries (webhook_id, due_at, id)`,
  `create index pending_deliveries_of_webhook on pending_deliveries (webhook_id collate "POSIX", id)`,
  `create index pending_deliveries_by_event on pending_deliveries (event_id)`,
  // due_at: when something in the queue is due, as far as is known. Null when nothing is, or when the webhook is not
  // enabled. fence: counts the turns of all holders. A record must name the current turn. is_proven: the receiver has
  // responded well before, and the last time within a second.
  `create table webhook_queues (
    account_id ${id} not null,
    webhook_id ${id} not null,
    due_at timestamptz,
    holder text,
    fence bigint not null default 0,
    served_at timestamptz,
    is_proven boolean not null default false,
    primary key (account_id, webhook_id),
    foreign key (account_id, webhook_id) references webhooks (account_id, id) on delete cascade
  ) ${busy}`,
  // For dispatchers, whose notifications name a webhook by its id alone.
  `create index webhook_queues_by_webhook on webhook_queues (webhook_id)`,
  `create index webhook_queues_due on webhook_queues (due_at) where holder is null and due_at is not null`,
  `create index webhook_queues_held on webhook_queues (holder) where holder is not null`,
  `create table dispatchers (
    id text primary key,
    ends_at timestamptz not null
  ) ${busy}`,
];

/**
 * One row for each hour of UTC in which attempts of a webhook ended. It is updated all the time, so its page has room
 * for the next version, and no index contains a changing column. Nothing refers to it. It is deleted two days later,
 * whether or not the webhook is.
 */
const hours = [
  `create table webhook_hours (
    account_id ${id} not null,
    webhook_id ${id} not null,
    hour timestamptz not null,
    attempts integer not null,
    delivered integer not null,
    -- Attempts by how long they took, a number for each class of durations.
    durations integer[] not null check (cardinality(durations) = 36),
    -- How many failed after the last one of the hour that was delivered.
    failed_since integer not null,
    last_failed_at timestamptz,
    last_failed_delivery_id ${id},
    last_failed_outcome text,
    last_failed_http_status smallint,
    primary key (account_id, webhook_id, hour)
  ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000,
    autovacuum_vacuum_cost_delay = 0)`,
  `create index webhook_hours_by_hour on webhook_hours (hour)`,
];

/** A notification on `deliveries_due` is the id of a webhook with more in its queue, or with `changed` behind it. */
const wakers = [
  `create function notify_pending_inserted() returns trigger language plpgsql as $$
  begin
    perform pg_notify('deliveries_due', webhook_id) from (select distinct webhook_id from inserted) as touched;
    return null;
  end $$`,
  `create trigger pending_deliveries_inserted after insert on pending_deliveries referencing new table as inserted
    for each statement execute function notify_pending_inserted()`,
  `create function create_webhook_queue() returns trigger language plpgsql as $$
  begin
    insert into webhook_queues (webhook_id, account_id) values (new.id, new.account_id);
    return null;
  end $$`,
  `create trigger webhooks_inserted after insert on webhooks for each row execute function create_webhook_queue()`,
  // The holder of the queue reads the webhook again. The queue of a webhook that is not enabled is missing in the index
  // that claims read.
  `create function notify_webhook_changed() returns trigger language plpgsql as $$
  begin
    update webhook_queues
      set due_at = case when new.status = 'enabled' and not new.is_suspended and new.deleted_at is null
        then gateway_now() end
      where account_id = new.account_id and webhook_id = new.id
        and (new.status, new.is_suspended, new.deleted_at)
          is distinct from (old.status, old.is_suspended, old.deleted_at);
    perform pg_notify('deliveries_due', new.id || ' changed');
    return null;
  end $$`,
  `create trigger webhooks_changed after update of ${watched.join(", ")} on webhooks for each row
    when (${rowOf("old")} is distinct from ${rowOf("new")}) execute function notify_webhook_changed()`,
];

/** Webhooks, events and their deliveries: pending ones are the queue of the dispatchers, finished ones the history. */
export const events = runStatements([
  ...webhooks,
  ...dated,
  ...queue,
  ...hours,
  ...wakers,
  firstPartition({ table: "events", prefix: "evt", spanDays: 7 }),
  firstPartition({ table: "deliveries", prefix: "dlv", spanDays: 7 }),
  firstPartition({ table: "delivery_attempts", prefix: "dlv", spanDays: 7 }),
]);
