import type { Kysely, Transaction } from "kysely";
import type { Schema } from "./schema.ts";

/**
 * Runs `work` in one transaction: all of it happens or none. Called inside another transaction, it joins that one. When
 * the connection is lost at the commit, the outcome is unknown and the error is one that `isUnavailable` knows.
 */
export async function transaction<T>(db: Kysely<Schema>, work: (trx: Transaction<Schema>) => Promise<T>): Promise<T> {
  if (db.isTransaction) {
    // Kysely says so by this flag; its type has no narrowing for it.
    return work(db as Transaction<Schema>);
  }
  return db.transaction().execute(work);
}
