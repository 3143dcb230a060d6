import { sql, type Kysely } from "kysely";

/** The first migration of versions before 0.2.0. */
const firstOfBefore = "0001_accounts_keys_wallets";

/** Advice for a database that a version before 0.2.0 made, as one sentence. Null for any other, even an empty one. */
export async function describeOldDatabase<Tables>(db: Kysely<Tables>): Promise<string | null> {
  const { rows } = await sql<{ is: boolean }>`select to_regclass('kysely_migration') is not null as is`.execute(db);
  if (!rows[0]?.is) {
    return null;
  }
  const { rows: found } = await sql`select from kysely_migration where name = ${firstOfBefore}`.execute(db);
  return found.length === 0
    ? null
    : "The database was made by a version before 0.2.0, which this version cannot upgrade: " +
        "give this version a new, empty database, or run the version that made this one.";
}
