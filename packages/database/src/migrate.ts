import { setTimeout as delay } from "node:timers/promises";
import { Kysely, type LogConfig, PostgresAdapter, PostgresDialect, sql } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import pg from "pg";
import { prepareMigrations } from "./add-indexes.ts";
import { isLockTimeout } from "./is-lock-timeout.ts";

/**
 * How long an attempt waits for each lock, and others behind it. Those give up after 750 ms, in which the work that follows must end too, and a
 * deadlock is looked for after a second: this steps back first. Only where queries that take long leave no gap does it insist in the end.
 */
const lockTimeoutsMs = [
  ...Array<number>(10).fill(200),
  ...Array<number>(60).fill(500),
  ...Array<number>(10).fill(3_000),
];
/** For those who waited. */
const pauseMs = 1_000;
/** For each table after the first: nobody holds those for long, and the first is held meanwhile. */
const nextLockTimeoutMs = 100;
/** The one that Kysely's migrator takes, for releases that let it. */
const migrationLock = "3853314791062309107";
const migrationLockTimeoutMs = 60 * 60_000;

/**
 * Brings the database at `url` to the newest of these migrations, which run in the order of their names. Any number of processes may do
 * so at once: one works, the others wait for it and find nothing left to do. All pending migrations run in one transaction, so a failure leaves none of them.
 *
 * A migration does not wait long for a table lock, for a waiting ALTER TABLE blocks every query behind it. It then steps back and tries
 * again, for over a minute. A database that is ahead of this release (a newer one is being rolled out) is left alone.
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

/**
 * One process at a time, also while it pauses: several that took turns would leave no gap. Nothing here outlives the transaction,
 * neither the lock nor its timeout: behind a pooler the session is not ours.
 */
async function migrateWithRetries(
  db: Kysely<unknown>,
  migrations: Record<string, Migration>,
  errors: unknown[],
): Promise<void> {
  if ((await findPending(db, migrations)).length === 0) {
    return;
  }
  await db.transaction().execute(async (trx) => {
    await sql.raw(`set local lock_timeout = ${migrationLockTimeoutMs}`).execute(trx);
    await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(trx);
    for (const [index, lockTimeoutMs] of lockTimeoutsMs.entries()) {
      const error = await tryToMigrate(trx, migrations, { lockTimeoutMs, isSecondFirst: index % 2 === 1, errors });
      if (error === null) {
        return;
      }
      if (!(isLockTimeout(error) || isDeadlock(error)) || index === lockTimeoutsMs.length - 1) {
        throw new Error("The database could not be migrated. Nothing was changed.", { cause: error });
      }
      await delay(pauseMs);
    }
  });
}

/** Null when all is done. In a transaction all further errors follow from the first, and Kysely's migrator tells the last. */
async function tryToMigrate(
  trx: Kysely<unknown>,
  migrations: Record<string, Migration>,
  { lockTimeoutMs, isSecondFirst, errors }: { lockTimeoutMs: number; isSecondFirst: boolean; errors: unknown[] },
): Promise<unknown> {
  await sql`savepoint attempt`.execute(trx);
  await sql.raw(`set local lock_timeout = ${lockTimeoutMs}`).execute(trx);
  const error = await lockTables(trx, await findPending(trx, migrations), { isSecondFirst })
    .then(() => migratorOf(trx, migrations).migrateToLatest())
    .then((result) => result.error ?? null)
    .catch((failure: unknown) => failure);
  if (error === null) {
    return null;
  }
  // Lets go of what it has locked.
  await sql`rollback to savepoint attempt`.execute(trx);
  const [cause = error] = errors.splice(0);
  return cause;
}

/**
 * First what is queried for long, while nobody waits for anything else; so what one attempt makes others wait for is bounded. Second what
 * is written first: whoever has it and wants the first would never be done, so every other attempt begins with that one.
 */
export type LockingMigration = Migration & { locks: readonly string[] };

async function lockTables(
  trx: Kysely<unknown>,
  pending: readonly Migration[],
  { isSecondFirst }: { isSecondFirst: boolean },
): Promise<void> {
  const locks = pending.flatMap((migration) => ("locks" in migration ? (migration as LockingMigration).locks : []));
  const [first = [], second = [], ...others] = [...new Set(locks)];
  for (const table of [...(isSecondFirst ? [second, first] : [first, second]), ...others].flat()) {
    const { rows } = await sql`select from pg_class where oid = to_regclass(${table})`.execute(trx);
    if (rows.length > 0) {
      await sql`lock table ${sql.id(table)} in access exclusive mode`.execute(trx);
      await sql.raw(`set local lock_timeout = ${nextLockTimeoutMs}`).execute(trx);
    }
  }
}

/** With somebody who holds what we want and waits for what we have: a server may look for it sooner than others. */
function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "40P01";
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
