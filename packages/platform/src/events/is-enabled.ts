import { sql, type RawBuilder } from "kysely";

/** Whether the webhook of a queue is called at all: a condition for a statement on `queue`. */
export function isEnabled(queue: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from webhooks where account_id = ${queue}.account_id and id = ${queue}.webhook_id
      and status = 'enabled' and not is_suspended and deleted_at is null
  )`;
}
