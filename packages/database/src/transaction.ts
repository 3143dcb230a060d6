import type { Kysely, QueryExecutorProvider } from "kysely";

/**
 * What a statement of another service runs on: the database or the open transaction of whoever asks, whatever tables
 * that one may name.
 */
export type Executor = QueryExecutorProvider & { readonly isTransaction: boolean };

/**
 * An open transaction, which also goes where a database is asked for. It inherits what the database can do and refuses
 * what a transaction cannot. Kysely's own type overrides methods that name the tables: comparing it with a database
 * took a third of each check of types.
 */
export interface Transaction<Tables> extends Kysely<Tables> {
  readonly isTransaction: true;
  transaction(): never;
  startTransaction(): never;
  connection(): never;
  destroy(): never;
}

/**
 * Runs `work` in one transaction: all of it happens or none. Called inside another transaction, it joins that one. When
 * the connection is lost at the commit, the outcome is unknown and the error is one that `isUnavailable` knows.
 */
export async function transaction<Tables, T>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  if (db.isTransaction) {
    // Kysely says so by this flag; its type has no narrowing for it.
    return work(db as Transaction<Tables>);
  }
  return db.transaction().execute((trx) => work(trx));
}
