import { sql, type Kysely } from "kysely";
import { isEnabled } from "./is-enabled.ts";
import type { EventsTables } from "./tables.ts";

/**
 * Makes every unclaimed queue due whose deliveries are due earlier than it says, in case a notification is lost. A
 * loose index scan: one probe finds the next webhook and its first row, however many rows wait behind it.
 */
export async function sweepQueues(db: Kysely<EventsTables>): Promise<number> {
  const { numAffectedRows } = await sql`
    with recursive first_of_each as (
      (select account_id, webhook_id, due_at from pending_deliveries order by webhook_id, due_at, id limit 1)
      union all
      select following.account_id, following.webhook_id, following.due_at
      from first_of_each
      cross join lateral (
        select account_id, webhook_id, due_at from pending_deliveries
        where webhook_id > first_of_each.webhook_id
        order by webhook_id, due_at, id
        limit 1
      ) following
    )
    update webhook_queues queue set due_at = first_of_each.due_at
    from first_of_each
    where queue.account_id = first_of_each.account_id and queue.webhook_id = first_of_each.webhook_id and queue.holder is null
      and (queue.due_at is null or queue.due_at > first_of_each.due_at)
      and ${isEnabled(sql`queue`)}
  `.execute(db);
  return Number(numAffectedRows ?? 0);
}
