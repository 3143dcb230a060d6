import type { LockingMigration } from "@gateway/database";
import { sql, type Kysely } from "kysely";

/**
 * What the release before inserts as pending, or makes pending again, moves to the queue with its commit: its gateways read in the same
 * transaction what they wrote, and answered 404 when it was gone. The last attempt of a delivery that this release finished
 * joins the others, as with a resend of our own.
 */
export const oldPendingMovesAtCommit: LockingMigration = {
  // Of all that run with it, too. Lists read deliveries for long; what records an event has that table before it comes to its deliveries.
  locks: ["deliveries", "events", "delivery_attempts", "webhooks", "accounts"],
  async up(db: Kysely<unknown>) {
    for (const statement of [moveFunction, ...triggers]) {
      await sql.raw(statement).execute(db);
    }
  },
};

const moveFunction = `create or replace function move_pending_delivery() returns trigger language plpgsql as $$
  begin
    with moved as (
      delete from deliveries where account_id = new.account_id and id = new.id and status = 'pending' returning *
    ),
    kept_attempts as (
      insert into delivery_attempts
        (delivery_id, number, started_at, duration_ms, outcome, http_status, response_start, is_manual)
      select id, attempt_count, started_at, duration_ms, outcome, http_status, response_start, is_manual
      from moved where outcome is not null
    )
    insert into pending_deliveries
      (account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at)
    select account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at from moved;
    return null;
  end $$`;

const triggers = [
  `drop trigger deliveries_pending_inserted on deliveries`,
  `drop trigger deliveries_pending_again on deliveries`,
  `create constraint trigger deliveries_pending_inserted after insert on deliveries deferrable initially deferred for each row
    when (new.status = 'pending') execute function move_pending_delivery()`,
  `create constraint trigger deliveries_pending_again after update on deliveries deferrable initially deferred for each row
    when (new.status = 'pending' and old.status <> 'pending') execute function move_pending_delivery()`,
];
