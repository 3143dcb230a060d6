import { setTimeout as delay } from "node:timers/promises";
import { Kysely, PostgresDialect } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import pg from "pg";
import { buildIndexes } from "./add-indexes.ts";
import { isLockTimeout } from "./is-lock-timeout.ts";

const lockTimeoutMs = 3_000;
const attempts = 10;
const pauseMs = 500;

/**
 * Brings the database at `url` to the newest of these migrations, which run in the order of their names. Any number of processes may do so at once: one works, the others
 * wait for it and find nothing left to do. All pending migrations run in one transaction, so a failure leaves none of them.
 *
 * A migration waits at most 3 s for a table lock: a waiting ALTER TABLE blocks every query behind it. It then steps back
 * and tries again, ten times. A database that is ahead of this release (a newer one is being rolled out) is left alone.
 * Indexes on tables in use are built before, one by one, while others write (`addIndexes`).
 */
export async function migrate(url: string, migrations: Record<string, Migration>): Promise<void> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: 5_000,
    lock_timeout: lockTimeoutMs,
    application_name: "gateway-migrate",
  });
  pool.on("error", () => {});
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    await buildIndexes(db, await findPending(migrator));
    await migrateWithRetries(migrator);
  } finally {
    await db.destroy();
  }
}

async function migrateWithRetries(migrator: Migrator): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    if ((await findPending(migrator)).length === 0) {
      return;
    }
    const { error } = await migrator.migrateToLatest();
    if (!error) {
      return;
    }
    if (!isLockTimeout(error) || attempt === attempts) {
      throw new Error("The database could not be migrated. Nothing was changed.", { cause: error });
    }
    await delay(pauseMs);
  }
}

async function findPending(migrator: Migrator): Promise<Migration[]> {
  const known = await migrator.getMigrations();
  return known.flatMap(({ migration, executedAt }) => (executedAt === undefined ? [migration] : []));
}
