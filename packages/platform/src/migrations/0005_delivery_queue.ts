import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * What is pending leaves `deliveries` for a narrow table of its own, and dispatchers lease a webhook's queue in the place of each delivery.
 *
 * Processes of the release before go on as they were: what they insert as pending into `deliveries`, or make pending there again, is
 * moved at once; what was pending before is moved in batches by the dispatchers (`move-old-deliveries.ts`). No table is rewritten and no row
 * is read here but those of `webhooks`, of which each gets its queue.
 */
export const deliveryQueue: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of [...tables, ...history, ...functions, ...triggers]) {
      await sql.raw(statement).execute(db);
    }
  },
};

const id = 'text collate "C"';

/** Emptied as fast as it is filled: vacuum must follow by the number of rows, not by the share of a table that is nearly empty. */
const busy = `with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.05, autovacuum_analyze_threshold = 1000)`;

const tables = [
  `create table pending_deliveries (
    account_id ${id} not null,
    id ${id} not null,
    webhook_id ${id} not null,
    event_id ${id} not null,
    attempt_count integer not null,
    schedule_position integer not null,
    due_at timestamptz not null,
    created_at timestamptz not null,
    primary key (account_id, id)
  ) ${busy}`,
  // What a dispatcher reads: the next of one webhook, however many wait behind them.
  `create index pending_deliveries_due on pending_deliveries (webhook_id, due_at, id)`,
  `create index pending_deliveries_by_webhook on pending_deliveries (webhook_id, id)`,
  `create index pending_deliveries_by_event on pending_deliveries (event_id)`,

  // due_at: when something in it is due, as far as is known; null when nothing is, or when the webhook is not enabled.
  // fence: counts the turns of all holders; what is recorded must name the turn that goes on.
  // is_proven: the receiver has answered well before, and the last time within a second.
  `create table webhook_queues (
    webhook_id ${id} primary key references webhooks (id) on delete cascade,
    account_id ${id} not null,
    due_at timestamptz,
    holder text,
    fence bigint not null default 0,
    served_at timestamptz,
    is_proven boolean not null default false
  ) ${busy}`,
  `create index webhook_queues_due on webhook_queues (due_at) where holder is null and due_at is not null`,
  `create index webhook_queues_held on webhook_queues (holder) where holder is not null`,
  `create table dispatchers (
    id text primary key,
    ends_at timestamptz not null
  ) ${busy}`,
];

const history = [
  // The last attempt stands with the delivery; those before it, and all of what was recorded before, in delivery_attempts.
  `alter table deliveries
    add column started_at timestamptz,
    add column duration_ms integer,
    add column outcome text,
    add column http_status smallint,
    add column response_start text,
    add column is_manual boolean`,
  // A delivery goes from one table to the other and back; its event may be dropped with its month before it.
  `alter table deliveries drop constraint deliveries_account_id_fkey, drop constraint deliveries_webhook_id_fkey,
    drop constraint deliveries_event_id_fkey`,
  `alter table delivery_attempts drop constraint delivery_attempts_delivery_id_fkey`,
  `insert into webhook_queues (webhook_id, account_id, due_at)
    select id, account_id, case when status = 'enabled' and deleted_at is null then gateway_now() end from webhooks`,
];

/** What is heard on `deliveries_due` is the id of a webhook with more in its queue, or with `changed` behind it. */
const functions = [
  `create function notify_pending_inserted() returns trigger language plpgsql as $$
  begin
    perform pg_notify('deliveries_due', webhook_id) from (select distinct webhook_id from inserted) as touched;
    return null;
  end $$`,
  `create function create_webhook_queue() returns trigger language plpgsql as $$
  begin
    insert into webhook_queues (webhook_id, account_id) values (new.id, new.account_id);
    return null;
  end $$`,
  // Whoever holds the queue reads the webhook again; a queue of one that is not enabled is in no index that claims read.
  `create function notify_webhook_changed() returns trigger language plpgsql as $$
  begin
    update webhook_queues
      set due_at = case when new.status = 'enabled' and new.deleted_at is null then gateway_now() end
      where webhook_id = new.id
        and (new.status, new.deleted_at) is distinct from (old.status, old.deleted_at);
    perform pg_notify('deliveries_due', new.id || ' changed');
    return null;
  end $$`,
  `create function move_pending_delivery() returns trigger language plpgsql as $$
  begin
    insert into pending_deliveries
      (account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at)
    values (new.account_id, new.id, new.webhook_id, new.event_id, new.attempt_count, new.schedule_position,
      new.due_at, new.created_at);
    if tg_op = 'UPDATE' then
      delete from deliveries where id = new.id;
    end if;
    return null;
  end $$`,
];

const triggers = [
  `create trigger pending_deliveries_inserted after insert on pending_deliveries referencing new table as inserted
    for each statement execute function notify_pending_inserted()`,
  `create trigger webhooks_inserted after insert on webhooks for each row execute function create_webhook_queue()`,
  `drop trigger deliveries_inserted on deliveries`,
  `drop trigger webhooks_enabled on webhooks`,
  `create trigger webhooks_changed after update of status, url, secret, previous_secret, deleted_at on webhooks for each row
    when ((old.status, old.url, old.secret, old.previous_secret, old.deleted_at)
      is distinct from (new.status, new.url, new.secret, new.previous_secret, new.deleted_at))
    execute function notify_webhook_changed()`,
  `create trigger deliveries_pending_inserted before insert on deliveries for each row
    when (new.status = 'pending') execute function move_pending_delivery()`,
  `create trigger deliveries_pending_again after update on deliveries for each row
    when (new.status = 'pending' and old.status <> 'pending') execute function move_pending_delivery()`,
];
