import type { Executor } from "@gateway/database";
import { sql } from "kysely";

/** What is heard for a mail that waits. */
export const mailsWaiting = "mails";

/** Tells that something fell due by being written: the webhook's id, or nothing for all. Time makes no sound. */
export const deliveriesDueChannel = "deliveries_due";

/** At the commit. Inserted deliveries and changed webhooks do so by themselves; what is made due sooner does not. */
export async function wakeDispatchers(db: Executor, webhookId: string): Promise<void> {
  await sql`select pg_notify(${deliveriesDueChannel}, ${webhookId})`.execute(db);
}
