import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { setTimeout as delay } from "node:timers/promises";

/** `{ name: "events_by_type", on: "events (type, account_id, id)" }`. */
export type Index = { name: string; on: string };

export type IndexMigration = Migration & { indexes: readonly Index[] };

/**
 * A migration that gives indexes to tables which may be large and in use. `migrate` builds them while others write, before it
 * begins its transaction, which then finds them there. Tables that the same run makes are empty, and get theirs in the transaction.
 */
export function addIndexes(indexes: readonly Index[]): IndexMigration {
  return {
    indexes,
    async up(db: Kysely<unknown>) {
      for (const { name, on } of indexes) {
        await sql`create index if not exists ${sql.id(name)} on ${sql.raw(on)}`.execute(db);
      }
    },
  };
}

const lockId = 7_306_512_404_118;
const pauseMs = 200;

/** Builds the indexes of these migrations that are missing, on the tables that exist. Of many processes one builds, the others wait. */
export function buildIndexes(db: Kysely<unknown>, migrations: readonly Migration[]): Promise<void> {
  const indexes = migrations.flatMap((migration) => (hasIndexes(migration) ? migration.indexes : []));
  return db.connection().execute(async (connection) => {
    if ((await findMissing(connection, indexes)).length === 0) {
      return;
    }
    await waitForLock(connection);
    try {
      // Nobody waits behind a build that waits, unlike behind an ALTER TABLE.
      await sql`set lock_timeout = 0`.execute(connection);
      for (const { name, on } of await findMissing(connection, indexes)) {
        // What an interrupted build has left serves nobody.
        await sql`drop index concurrently if exists ${sql.id(name)}`.execute(connection);
        await sql`create index concurrently ${sql.id(name)} on ${sql.raw(on)}`.execute(connection);
      }
    } finally {
      await sql`reset lock_timeout`.execute(connection);
      await sql`select pg_advisory_unlock(${sql.lit(lockId)})`.execute(connection);
    }
  });
}

function hasIndexes(migration: Migration): migration is IndexMigration {
  return "indexes" in migration;
}

async function findMissing(db: Kysely<unknown>, indexes: readonly Index[]): Promise<Index[]> {
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

/** Asks again and again: a statement that waits holds a snapshot, and a build waits until every older snapshot is gone. */
async function waitForLock(db: Kysely<unknown>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{
      is_ours: boolean;
    }>`select pg_try_advisory_lock(${sql.lit(lockId)}) as is_ours`.execute(db);
    if (rows[0]?.is_ours) {
      return;
    }
    await delay(pauseMs);
  }
}
