import type { PostgresPool } from "kysely";
import type pg from "pg";
import { ConnectionPool } from "./connection-pool.ts";
import { dialLimitMs, type DialConfig, type Dialer } from "./dialer.ts";
import type { Pooler } from "./find-pooler.ts";
import { destroySocket, GuardedClient } from "./guarded-client.ts";
import { createStandbyWatch } from "./standby-watch.ts";
import { createStatementNames } from "./statement-names.ts";
import { typeParsers } from "./type-parsers.ts";

export type PoolOptions = {
  url: string;
  dialer: Dialer;
  maxConnections: number;
  connectTimeoutMs: number;
  queryTimeoutMs: number;
  transactionTimeoutMs: number;
  /** See `OpenDatabaseOptions`. */
  isStarting: boolean;
  applicationName: string;
  pooler: Pooler | null;
  /** See `Database.onQuery`. */
  onQuery(durationMs: number): void;
};

export type PoolUsage = {
  /** The maximum number of connections. */
  size: number;
  inUse: number;
  /** Callers that wait for a connection. */
  waiting: number;
  /** Sessions of all processes that waited for a synchronous standby when this process last looked. */
  leftBehind: number;
};

export type GuardedPool = PostgresPool & {
  usage(): PoolUsage;
  /** See `Database.serve`. */
  serve(): void;
};

/**
 * The pool that Kysely draws from. When one connection breaks, those opened before it are not used again: after a
 * failover only the first request fails. Poolers refuse start-up parameters. Behind one, each transaction begins with
 * its limits, and a single statement is a transaction.
 */
export function createGuardedPool(options: PoolOptions): GuardedPool {
  const { url, dialer, pooler, maxConnections } = options;
  const config = clientConfigOf(options);
  const requestLimits = { ...options, transactionLimits: pooler && statementsOf(options) };
  let limits = options.isStarting ? startLimitsOf(options) : requestLimits;
  let generation = 0;
  const generations = new WeakMap<pg.Client, number>();
  const isOutdated = (client: pg.Client): boolean => (generations.get(client) ?? generation) < generation;
  const pool = new ConnectionPool({
    dial: async (signal) => {
      // A dial lasts at least as long as its caller waits.
      const limitMs = Math.max(dialLimitMs, limits.connectTimeoutMs);
      const client = await dialer.dial(url, config, { signal, limitMs });
      generations.set(client, generation);
      return client;
    },
    isHeldUp: () => dialer.isHeldUp(url),
    maxConnections,
    waitMs: () => limits.connectTimeoutMs,
    endMs: options.queryTimeoutMs + endGraceMs,
  });
  const nameOf = pooler === null || pooler.keepsStatements ? createStatementNames() : () => undefined;
  const watch = createStandbyWatch({ countWaiting: () => countWaitingForStandby(pool, options.queryTimeoutMs) });
  const guarded = new WeakMap<pg.PoolClient, GuardedClient>();
  const guard = (client: pg.PoolClient): GuardedClient => {
    const known = guarded.get(client);
    if (known) {
      return known;
    }
    const own = new GuardedClient(client, {
      ...{ nameOf, onQuery: options.onQuery, isPipelined: config.pipeline === true },
      limits: () => limits,
      onTimeout: () => watch.timedOut(),
      refusesWrites: () => watch.refusesWrites(),
      onBroken: () => outdate(generations.get(client)),
      isStale: () => isOutdated(client),
    });
    guarded.set(client, own);
    return own;
  };
  /** Connections opened in this generation or earlier are not used again. */
  const outdate = (last = 0): void => {
    generation = Math.max(generation, last + 1);
    pool.dropIdle(isOutdated);
  };
  return {
    options: {},
    connect: async () => guard(await pool.connect()),
    end: () => {
      watch.stop();
      return pool.end();
    },
    usage: () => ({
      size: maxConnections,
      inUse: pool.inUseCount,
      waiting: pool.waitingCount,
      leftBehind: watch.leftBehind(),
    }),
    serve: () => {
      limits = requestLimits;
    },
  };
}

/** Postgres hides the waiting of other roles' sessions; those of our role are enough. */
async function countWaitingForStandby(pool: ConnectionPool, limitMs: number): Promise<number> {
  const client = await pool.connect();
  const timer = setTimeout(() => destroySocket(client), limitMs);
  try {
    const { rows } = await client.query<{ count: number }>(
      "select count(*)::int4 as count from pg_stat_activity where wait_event = 'SyncRep'",
    );
    client.release();
    return rows[0]?.count ?? 0;
  } catch (error) {
    client.release(true);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const startLimitMs = 60_000;

/** A session has the limits of requests. During a start each transaction, and each single statement, sets its own. */
function startLimitsOf(options: PoolOptions) {
  const limits = {
    connectTimeoutMs: Math.max(startLimitMs, options.connectTimeoutMs),
    queryTimeoutMs: Math.max(startLimitMs, options.queryTimeoutMs),
    transactionTimeoutMs: Math.max(2 * startLimitMs, options.transactionTimeoutMs),
  };
  return { ...limits, transactionLimits: statementsOf(limits) };
}

function statementsOf(options: Pick<PoolOptions, "queryTimeoutMs">): string {
  return Object.entries(limitsOf(options))
    .map(([name, ms]) => `set local ${name} = ${ms}`)
    .join("; ");
}

const endGraceMs = 500;
/** The server gives up a little earlier than we do, so that a slow query fails but keeps its connection. */
const serverHeadStartMs = 100;
/** A process that froze inside a transaction must not hold its row locks permanently. */
const idleInTransactionMs = 5_000;

function limitsOf({ queryTimeoutMs }: Pick<PoolOptions, "queryTimeoutMs">) {
  return {
    statement_timeout: Math.max(1, queryTimeoutMs - serverHeadStartMs),
    // Shorter than the statement's limit, so that waiting for a lock differs from being slow.
    lock_timeout: Math.max(1, Math.floor(queryTimeoutMs / 2)),
    idle_in_transaction_session_timeout: idleInTransactionMs,
  };
}

function clientConfigOf(options: PoolOptions): DialConfig {
  return {
    ...(options.pooler === null ? limitsOf(options) : { pipeline: true }),
    application_name: options.applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: typeParsers,
  };
}
