import type { Executor } from "@gateway/database";
import { sql } from "kysely";

/** Notified when a mail waits. */
export const mailsWaiting = "mails";

/**
 * Notified with a webhook's id, or empty for all, when a write makes deliveries due. Deliveries due by time are not
 * notified.
 */
export const deliveriesDueChannel = "deliveries_due";

/**
 * Notifies at the commit. Inserted deliveries and changed webhooks do so themselves; deliveries made due sooner do not.
 */
export async function wakeDispatchers(db: Executor, webhookId: string): Promise<void> {
  await sql`select pg_notify(${deliveriesDueChannel}, ${webhookId})`.execute(db);
}
