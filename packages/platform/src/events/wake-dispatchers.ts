import type { Schema } from "@gateway/database";
import { sql, type Kysely } from "kysely";

/** At the commit. Inserted deliveries and enabled webhooks do so by themselves; rows that are made due again do not. */
export async function wakeDispatchers(db: Kysely<Schema>): Promise<void> {
  await sql`select pg_notify('deliveries_due', '')`.execute(db);
}
