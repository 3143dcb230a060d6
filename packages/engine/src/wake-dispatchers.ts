import type { Executor } from "@gateway/database";
import { sql } from "kysely";

/** What is heard for a mail that waits. */
export const mailsWaiting = "mails";

/**
 * What `listen` of the database hears when something fell due by being written: the id of the webhook whose queue it is
 * in, or nothing for all of them. What falls due with time makes no sound.
 */
export const deliveriesDueChannel = "deliveries_due";

/** At the commit. Inserted deliveries and changed webhooks do so by themselves; what is made due sooner does not. */
export async function wakeDispatchers(db: Executor, webhookId: string): Promise<void> {
  await sql`select pg_notify(${deliveriesDueChannel}, ${webhookId})`.execute(db);
}
