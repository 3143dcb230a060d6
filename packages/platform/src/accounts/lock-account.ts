import type { Schema } from "@gateway/database";
import type { Kysely } from "kysely";

/**
 * Holds the account until the transaction ends, so that of two changes which together break a rule of the account (one webhook too
 * many, the last owner gone) the second sees the first. Nothing that only reads or refers to the account waits for it.
 */
export async function lockAccount(db: Kysely<Schema>, accountId: string): Promise<void> {
  await db.selectFrom("accounts").select("id").where("id", "=", accountId).forNoKeyUpdate().execute();
}
