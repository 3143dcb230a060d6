import { setTimeout as delay } from "node:timers/promises";
import { Kysely, type LogConfig, PostgresAdapter, PostgresDialect, sql } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import pg from "pg";
import { prepareMigrations } from "./add-indexes.ts";
import { isLockTimeout } from "./is-lock-timeout.ts";

/**
 * Shorter than the second after which Postgres looks for a deadlock: where a migration and a program want the same tables in another
 * order, the migration steps back, and no program's transaction is ended.
 */
const lockTimeoutMs = 500;
/** The one that Kysely's migrator takes, for releases that let it. */
const migrationLock = "3853314791062309107";
const migrationLockTimeoutMs = 60 * 60_000;
const attempts = 60;
const pauseMs = 500;

/**
 * Brings the database at `url` to the newest of these migrations, which run in the order of their names. Any number of processes may do
 * so at once: one works, the others wait for it and find nothing left to do. All pending migrations run in one transaction, so a failure leaves none of them.
 *
 * A migration waits at most half a second for a table lock: a waiting ALTER TABLE blocks every query behind it. It then steps back
 * and tries again, for a minute. A database that is ahead of this release (a newer one is being rolled out) is left alone.
 * Indexes on tables in use are built before, one by one, while others write (`addIndexes`, `PreparedMigration`).
 */
export async function migrate(url: string, migrations: Record<string, Migration>): Promise<void> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: 5_000,
    application_name: "gateway-migrate",
  });
  pool.on("error", () => {});
  const errors: unknown[] = [];
  const log: LogConfig = (event) => {
    if (event.level === "error") {
      errors.push(event.error);
    }
  };
  const db = new Kysely<unknown>({ dialect: new LocklessDialect({ pool }), log });
  try {
    await prepareMigrations(db, (connection) => findPending(connection, migrations));
    await migrateWithRetries(db, migrations, errors);
  } finally {
    await db.destroy();
  }
}

/** In a transaction, all further errors follow from the first; Kysely's migrator tells the last. */
async function migrateWithRetries(
  db: Kysely<unknown>,
  migrations: Record<string, Migration>,
  errors: unknown[],
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await migrateOnce(db, migrations);
      return;
    } catch (last) {
      const [cause = last] = errors.splice(0);
      if (!isLockTimeout(cause) || attempt === attempts) {
        throw new Error("The database could not be migrated. Nothing was changed.", { cause });
      }
    }
    await delay(pauseMs);
  }
}

/** Nothing here outlives the transaction, neither the lock nor its timeout: behind a pooler the session is not ours. */
async function migrateOnce(db: Kysely<unknown>, migrations: Record<string, Migration>): Promise<void> {
  if ((await findPending(db, migrations)).length === 0) {
    return;
  }
  await db.transaction().execute(async (trx) => {
    await sql.raw(`set local lock_timeout = ${migrationLockTimeoutMs}`).execute(trx);
    await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(trx);
    await sql.raw(`set local lock_timeout = ${lockTimeoutMs}`).execute(trx);
    const { error } = await migratorOf(trx, migrations).migrateToLatest();
    if (error) {
      throw error;
    }
  });
}

async function findPending(db: Kysely<unknown>, migrations: Record<string, Migration>): Promise<Migration[]> {
  const known = await migratorOf(db, migrations).getMigrations();
  return known.flatMap(({ migration, executedAt }) => (executedAt === undefined ? [migration] : []));
}

function migratorOf(db: Kysely<unknown>, migrations: Record<string, Migration>): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } });
}

/** Kysely's own lock belongs to the session. */
class LocklessAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class LocklessDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new LocklessAdapter();
  }
}
