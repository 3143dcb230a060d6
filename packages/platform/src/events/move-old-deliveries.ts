import { sql, type Kysely } from "kysely";
import type { EventsTables } from "./tables.ts";

/**
 * Moves up to `limit` of what the release before left pending in `deliveries` to the queue, and says how many. What one of its
 * dispatchers has under way is left until its lease ends. Any number of processes may do so at once.
 */
export async function moveOldDeliveries(db: Kysely<EventsTables>, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with moved as (
      delete from deliveries where (account_id, id) in (
        select account_id, id from deliveries where status = 'pending' and (lease is null or due_at <= gateway_now())
        limit ${limit} for update skip locked
      )
      returning account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at
    )
    insert into pending_deliveries
      (account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at)
    select account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at from moved
  `.execute(db);
  return Number(numAffectedRows ?? 0);
}
