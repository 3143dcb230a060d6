import type { Executor } from "@gateway/database";
import { sql } from "kysely";

/** What `listen` of the database hears when something fell due by being written; what falls due with time makes no sound. */
export const deliveriesDueChannel = "deliveries_due";

/** At the commit. Inserted deliveries and enabled webhooks do so by themselves; rows that are made due again do not. */
export async function wakeDispatchers(db: Executor): Promise<void> {
  await sql`select pg_notify(${deliveriesDueChannel}, '')`.execute(db);
}
