import { sql, type RawBuilder } from "kysely";

/** Whether the webhook is called at all: a condition for a statement on its queue. */
export function isEnabled(webhookId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from webhooks where id = ${webhookId} and status = 'enabled' and not is_suspended and deleted_at is null
  )`;
}
