import type { Executor } from "@gateway/database";
import { sql } from "kysely";
import type { WebhookMailKind } from "./tables.ts";
import type { CreateId } from "@gateway/engine/id";

/** Notifies the owners of webhooks, in the transaction that changes these. A dispatcher sends the mails. */
export async function queueWebhookMails(
  db: Executor,
  kind: WebhookMailKind,
  { webhooks, createId }: { webhooks: readonly { id: string; account_id: string }[]; createId: CreateId },
): Promise<void> {
  if (webhooks.length === 0) {
    return;
  }
  await sql`
    insert into mails (id, account_id, webhook_id, kind, created_at, due_at, attempt_count)
    select id, account_id, webhook_id, ${kind}, gateway_now(), gateway_now(), 0
    from unnest(
      ${webhooks.map(() => createId("mai"))}::text[],
      ${webhooks.map((webhook) => webhook.account_id)}::text[],
      ${webhooks.map((webhook) => webhook.id)}::text[]
    ) as told (id, account_id, webhook_id)
  `.execute(db);
}
