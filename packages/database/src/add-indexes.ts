import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Migration } from "kysely/migration";

/** `{ name: "events_by_type", on: "events (type, account_id, id)" }`. */
export type Index = { name: string; on: string; isUnique?: boolean };

export type IndexMigration = Migration & { indexes: readonly Index[] };

/** `prepare` runs while other processes write: never in a transaction, and possibly again after an interruption. */
type PreparedMigration = IndexMigration & { prepare(db: Kysely<unknown>): Promise<void> };

/** Adds indexes to tables in use: `migrate` builds them before its transaction, while other processes write. */
export function addIndexes(indexes: readonly Index[]): IndexMigration {
  return {
    indexes,
    async up(db: Kysely<unknown>) {
      await createMissingIndexes(db, indexes);
    },
  };
}

/** For tables that the same run created. */
async function createMissingIndexes(db: Kysely<unknown>, indexes: readonly Index[]): Promise<void> {
  for (const { name, on, isUnique } of indexes) {
    await sql`create ${indexKind(isUnique)} if not exists ${sql.id(name)} on ${sql.raw(on)}`.execute(db);
  }
}

function indexKind(isUnique = false): RawBuilder<unknown> {
  return isUnique ? sql`unique index` : sql`index`;
}

/** Builds the missing indexes of pending migrations on existing tables, and runs their `prepare`. */
export function prepareMigrations(db: Kysely<unknown>, pending: readonly Migration[]): Promise<void> {
  return db.connection().execute(async (connection) => {
    try {
      // Other queries do not queue behind a concurrent build that waits, unlike behind an ALTER TABLE.
      await sql`set lock_timeout = 0`.execute(connection);
      const indexes = pending.flatMap((migration) => (hasIndexes(migration) ? migration.indexes : []));
      await buildIndexes(connection, await findMissingIndexes(connection, indexes));
      for (const migration of pending.filter(isPrepared)) {
        await migration.prepare(connection);
      }
    } finally {
      await sql`reset lock_timeout`.execute(connection);
    }
  });
}

function isPrepared(migration: Migration): migration is PreparedMigration {
  return "prepare" in migration;
}

function hasIndexes(migration: Migration): migration is IndexMigration {
  return "indexes" in migration;
}

/** Indexes that are missing, or left invalid by an interrupted build, on tables that exist. */
async function findMissingIndexes<One extends Index>(db: Kysely<unknown>, indexes: readonly One[]): Promise<One[]> {
  const names = indexes.map(({ name }) => name);
  const tables = indexes.map(({ on }) => on.split(" ")[0]);
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[], ${tables}::text[]) as wanted (name, table_name)
    where to_regclass(table_name) is not null
      and not exists (select from pg_index where indexrelid = to_regclass(name) and indisvalid)
  `.execute(db);
  const missing = new Set(rows.map(({ name }) => name));
  return indexes.filter(({ name }) => missing.has(name));
}

/** Builds while other processes write, so not in a transaction. Drops the unusable rest of an interrupted build. */
async function buildIndexes(db: Kysely<unknown>, indexes: readonly Index[]): Promise<void> {
  for (const { name, on, isUnique } of indexes) {
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db);
    await sql`create ${indexKind(isUnique)} concurrently ${sql.id(name)} on ${sql.raw(on)}`.execute(db);
  }
}
