import { setTimeout as delay } from "node:timers/promises";
import { Kysely, type LogConfig, PostgresAdapter, PostgresDialect, sql } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import { prepareMigrations } from "./add-indexes.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { createDialer, dialLimitMs, type Dialer } from "./dialer.ts";
import { isDeadlock } from "./is-deadlock.ts";
import { isLockTimeout } from "./is-lock-timeout.ts";
import { transaction } from "./transaction.ts";

/**
 * How long an attempt waits for its first lock, and then for each further one. Queries behind it give up after 750 ms,
 * and Postgres looks for deadlocks after a second, so an attempt steps back before. Only the last attempts insist.
 */
const lockTimeouts = [
  ...Array<LockTimeout>(10).fill({ firstMs: 200, nextMs: 100 }),
  ...Array<LockTimeout>(20).fill({ firstMs: 500, nextMs: 250 }),
  ...Array<LockTimeout>(10).fill({ firstMs: 3_000, nextMs: 3_000 }),
];
type LockTimeout = { firstMs: number; nextMs: number };

export type Patience = {
  /** The lock timeouts, one for each attempt. */
  lockTimeouts: readonly LockTimeout[];
  /** Time between two attempts, for the queries that waited. */
  pauseMs: number;
};

const usualPatience: Patience = { lockTimeouts, pauseMs: 1_000 };
const aloneLock = "7306512404118";
const askAgainMs = 200;
/** The lock of Kysely's migrator, which earlier releases take. */
const migrationLock = "3853314791062309107";
const migrationLockTimeoutMs = 60 * 60_000;
/** Only maintenance of the table waits behind this lock, or is waited for. */
const tendingTimeoutMs = 10 * 60_000;

/**
 * Brings the database at `url` to the newest of these migrations, in one transaction. Any number of processes may do so
 * at once. A waiting ALTER TABLE blocks every query behind it, so a migration steps back and tries again, for about a
 * minute and a half. A database ahead of this release stays as it is. Indexes on tables in use are built before.
 */
export async function migrate(
  url: string,
  migrations: Record<string, Migration>,
  { dialer = createDialer(), ...patience }: Partial<Patience> & { dialer?: Dialer } = {},
): Promise<void> {
  const pool = new ConnectionPool({
    dial: (signal) => dialer.dial(url, { application_name: "gateway-migrate" }, { signal }),
    isHeldUp: () => dialer.isHeldUp(url),
    // One of the two holds the lock of the process that migrates.
    maxConnections: 2,
    waitMs: () => dialLimitMs,
    endMs: 1_000,
  });
  const errors: unknown[] = [];
  const log: LogConfig = (event) => {
    if (event.level === "error") {
      errors.push(event.error);
    }
  };
  const db = new Kysely<unknown>({ dialect: new LocklessDialect({ pool }), log });
  try {
    if ((await findPending(db, migrations)).length > 0) {
      await whenAlone(db, async () => {
        // Read again, because the previous owner of the lock may have migrated.
        const pending = await findPending(db, migrations);
        if (pending.length > 0) {
          await prepareMigrations(db, pending);
          await migrateWithRetries(db, migrations, { ...usualPatience, ...patience, errors });
        }
      });
    }
  } finally {
    await db.destroy();
  }
}

/**
 * One process at a time, even while it pauses. The lock ends with its transaction, because behind a pooler the session
 * is shared. The lock is requested repeatedly: a statement that waits holds a snapshot, and an index build waits for
 * snapshots.
 */
async function whenAlone(db: Kysely<unknown>, work: () => Promise<void>): Promise<void> {
  const isDone = (): Promise<boolean> =>
    transaction(db, async (trx) => {
      const { rows } = await sql<AloneRow>`select pg_try_advisory_xact_lock(${sql.lit(aloneLock)}) as is`.execute(trx);
      if (!rows[0]?.is) {
        return false;
      }
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      await work();
      return true;
    });
  while (!(await isDone())) {
    await delay(askAgainMs);
  }
}

type AloneRow = { is: boolean };

async function migrateWithRetries(
  db: Kysely<unknown>,
  migrations: Record<string, Migration>,
  { lockTimeouts: attempts, pauseMs, errors }: Patience & { errors: unknown[] },
): Promise<void> {
  await transaction(db, async (trx) => {
    await sql.raw(`set local lock_timeout = ${migrationLockTimeoutMs}`).execute(trx);
    await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(trx);
    await keepVacuumAway(trx, await findPending(trx, migrations));
    for (const [index, lockTimeout] of attempts.entries()) {
      const error = await tryToMigrate(trx, migrations, { ...lockTimeout, isSecondFirst: index % 2 === 1, errors });
      if (error === null) {
        return;
      }
      if (!(isLockTimeout(error) || isDeadlock(error)) || index === attempts.length - 1) {
        const users = isLockTimeout(error) ? await listUsers(trx, await findPending(trx, migrations)) : "";
        throw new Error(`The database could not be migrated. Nothing was changed.${users}`, { cause: error });
      }
      await delay(pauseMs);
    }
  });
}

/** An automatic vacuum takes hours for a large table, and yields only to a lock request that waits for a second. */
async function keepVacuumAway(trx: Kysely<unknown>, pending: readonly Migration[]): Promise<void> {
  await sql.raw(`set local lock_timeout = ${tendingTimeoutMs}`).execute(trx);
  for (const table of await findTablesToLock(trx, pending)) {
    await sql`lock table ${sql.id(table)} in share update exclusive mode`.execute(trx);
  }
}

/** The sessions that hold the tables, the oldest first. */
async function listUsers(trx: Kysely<unknown>, pending: readonly Migration[]): Promise<string> {
  const { rows } = await sql<{ tables: string; who: string; since: string; query: string }>`
    select string_agg(distinct relation::regclass::text, ', ') as tables, left(regexp_replace(query, '\\s+', ' ', 'g'), 80) as query,
      coalesce(nullif(application_name, ''), backend_type) as who, to_char(xact_start at time zone 'UTC', 'HH24:MI:SS') as since
    from pg_locks join pg_stat_activity using (pid)
    where granted and pid <> pg_backend_pid()
      and relation in (select to_regclass(name) from unnest(${await findTablesToLock(trx, pending)}::text[]) name)
    group by pid, query, application_name, backend_type, xact_start order by xact_start limit 5
  `.execute(trx);
  const uses = rows.map(({ tables, who, since, query }) => `${who} has ${tables} since ${since} UTC (${query})`);
  return uses.length === 0 ? "" : ` In use: ${uses.join("; ")}.`;
}

/** Null when the migrations succeeded. Kysely's migrator reports the last error, but the first one is the cause. */
async function tryToMigrate(
  trx: Kysely<unknown>,
  migrations: Record<string, Migration>,
  { errors, ...attempt }: Attempt & { errors: unknown[] },
): Promise<unknown> {
  await sql`savepoint attempt`.execute(trx);
  const error = await lockTables(trx, await findPending(trx, migrations), attempt)
    .then(() => migratorOf(trx, migrations).migrateToLatest())
    .then((result) => result.error ?? null)
    .catch((failure: unknown) => failure);
  if (error === null) {
    return null;
  }
  // Releases the locks of this attempt.
  await sql`rollback to savepoint attempt`.execute(trx);
  const [cause = error] = errors.splice(0);
  return cause;
}

/** Lists first the table with long queries, then the one written first. Every other attempt begins with the second. */
export type LockingMigration = Migration & { locks: readonly string[] };

type Attempt = LockTimeout & { isSecondFirst: boolean };

async function lockTables(
  trx: Kysely<unknown>,
  pending: readonly Migration[],
  { firstMs, nextMs, isSecondFirst }: Attempt,
): Promise<void> {
  const [first, second, ...others] = await findTablesToLock(trx, pending);
  const tables = isSecondFirst ? [second, first, ...others] : [first, second, ...others];
  await sql.raw(`set local lock_timeout = ${firstMs}`).execute(trx);
  for (const table of tables.filter((one) => one !== undefined)) {
    await sql`lock table ${sql.id(table)} in access exclusive mode`.execute(trx);
    await sql.raw(`set local lock_timeout = ${nextMs}`).execute(trx);
  }
}

/** Leaves out tables that the same run creates. */
async function findTablesToLock(trx: Kysely<unknown>, pending: readonly Migration[]): Promise<string[]> {
  const locks = new Set(pending.flatMap((migration) => (isLocking(migration) ? migration.locks : [])));
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${[...locks]}::text[]) with ordinality as wanted (name, place)
    where to_regclass(name) is not null order by place
  `.execute(trx);
  return rows.map(({ name }) => name);
}

function isLocking(migration: Migration): migration is LockingMigration {
  return "locks" in migration;
}

async function findPending(db: Kysely<unknown>, migrations: Record<string, Migration>): Promise<Migration[]> {
  const known = await migratorOf(db, migrations).getMigrations();
  return known.flatMap(({ migration, executedAt }) => (executedAt === undefined ? [migration] : []));
}

function migratorOf(db: Kysely<unknown>, migrations: Record<string, Migration>): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } });
}

/** Kysely's own lock belongs to the session, so it is left out. */
class LocklessAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class LocklessDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new LocklessAdapter();
  }
}
