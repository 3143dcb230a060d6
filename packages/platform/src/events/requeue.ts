import { sql, type RawBuilder } from "kysely";

/** Parts of a `with`: finished deliveries return to the queue; `wanted` is a query of `account_id`, `id`, `due_at`. */
export function requeue(wanted: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`,
    unfinished as (
      delete from deliveries finished using (${wanted}) as wanted
      where finished.account_id = wanted.account_id and finished.id = wanted.id
      returning finished.*, wanted.due_at as next_due_at
    ),
    kept_attempts as (
      insert into delivery_attempts
        (delivery_id, number, started_at, duration_ms, outcome, http_status, response_start, is_manual)
      select id, attempt_count, started_at, duration_ms, outcome, http_status, response_start, is_manual
      from unfinished where outcome is not null
    ),
    requeued as (
      insert into pending_deliveries
        (account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at)
      select account_id, id, webhook_id, event_id, attempt_count, 0, next_due_at, created_at from unfinished
      returning id
    )`;
}
