import type { Kysely, QueryExecutorProvider } from "kysely";

/** The database or the open transaction that a statement of another service runs on. */
export type Executor = QueryExecutorProvider & { readonly isTransaction: boolean };

/**
 * An open transaction. Kysely's type overrides methods that name the tables, which takes a third of each type-check.
 */
export interface Transaction<Tables> extends Kysely<Tables> {
  readonly isTransaction: true;
  transaction(): never;
  startTransaction(): never;
  connection(): never;
  destroy(): never;
}

/** Joins an outer transaction. When the connection is lost at the commit, its outcome is unknown. */
export async function transaction<Tables, T>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  if (db.isTransaction) {
    // Kysely reports it by this flag, and its type does not narrow.
    return work(db as Transaction<Tables>);
  }
  return db.transaction().execute((trx) => work(trx));
}
