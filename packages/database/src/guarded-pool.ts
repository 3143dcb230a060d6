import type { PostgresPool } from "kysely";
import pg from "pg";
import type { Pooler } from "./find-pooler.ts";
import { destroySocket, GuardedClient, type GuardedClientOptions } from "./guarded-client.ts";
import { DatabaseUnavailableError } from "./is-unavailable.ts";
import { createStatementNames } from "./statement-names.ts";
import { typeParsers } from "./type-parsers.ts";

export type PoolOptions = {
  url: string;
  maxConnections: number;
  connectTimeoutMs: number;
  queryTimeoutMs: number;
  transactionTimeoutMs: number;
  applicationName: string;
  pooler: Pooler | null;
  /** See `Database.onQuery`. */
  onQuery(durationMs: number): void;
};

export type PoolUsage = {
  /** Connections at most. */
  size: number;
  inUse: number;
  /** For a connection. */
  waiting: number;
};

export type GuardedPool = PostgresPool & { usage(): PoolUsage };

type Guarded = { client: GuardedClient; generation: number };

/**
 * The pool that Kysely draws from. Getting a connection takes at most `connectTimeoutMs`, waiting and dialling together; a
 * query at most `queryTimeoutMs`, after which the server cancels it too. When one connection breaks, those opened before
 * it are replaced at their next use: after a failover or a freeze only the first request pays for finding out.
 *
 * Behind a pooler the same holds by other means: a session there is shared, and its start-up parameters are refused or thrown away, so
 * each transaction begins with its limits, and a statement alone is a transaction.
 */
export function createGuardedPool(options: PoolOptions): GuardedPool {
  const pool = new pg.Pool(poolConfig(options));
  const clientOptions = clientOptionsOf(options);
  const clients = new WeakMap<pg.PoolClient, Guarded>();
  let generation = 0;
  // An idle connection that dies is dropped by the pool; the error concerns no request.
  pool.on("error", () => {});
  const open = new Set<pg.PoolClient>();
  pool.on("connect", (client) => open.add(client));
  pool.on("remove", (client) => open.delete(client));

  const guard = (client: pg.PoolClient): Guarded => {
    const known = clients.get(client);
    if (known) {
      return known;
    }
    const onBroken = (): void => outdate(own);
    const own: Guarded = { generation, client: new GuardedClient(client, { ...clientOptions, onBroken }) };
    clients.set(client, own);
    return own;
  };
  const outdate = (broken: Guarded): void => {
    generation = Math.max(generation, broken.generation + 1);
  };
  const connect = async (deadline: number): Promise<GuardedClient> => {
    const own = guard(await connectBefore(pool, deadline, options.connectTimeoutMs));
    if (own.generation === generation) {
      return own.client;
    }
    own.client.release(true);
    return connect(deadline);
  };
  return {
    options: {},
    connect: () => connect(performance.now() + options.connectTimeoutMs),
    end: () => endWithin(pool, open, options.queryTimeoutMs + endGraceMs),
    usage: () => ({
      size: options.maxConnections,
      inUse: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount,
    }),
  };
}

/** The server gives up a little earlier than we do, so that a slow query ends as an answer and keeps its connection. */
const serverHeadStartMs = 100;
/** A process that froze inside a transaction must not hold its row locks for ever. */
const idleInTransactionMs = 5_000;

function limitsOf({ queryTimeoutMs }: PoolOptions) {
  return {
    statement_timeout: Math.max(1, queryTimeoutMs - serverHeadStartMs),
    // Sooner than the statement's own end, so that waiting for a lock is told apart from being slow.
    lock_timeout: Math.max(1, Math.floor(queryTimeoutMs / 2)),
    idle_in_transaction_session_timeout: idleInTransactionMs,
  };
}

function clientOptionsOf(options: PoolOptions): Omit<GuardedClientOptions, "onBroken"> {
  const { pooler, queryTimeoutMs, transactionTimeoutMs, onQuery } = options;
  return {
    nameOf: pooler === null || pooler.keepsStatements ? createStatementNames() : () => undefined,
    queryTimeoutMs,
    transactionTimeoutMs,
    onQuery,
    transactionLimits:
      pooler &&
      Object.entries(limitsOf(options))
        .map(([name, ms]) => `set local ${name} = ${ms}`)
        .join("; "),
  };
}

function poolConfig(options: PoolOptions): pg.PoolConfig {
  return {
    connectionString: options.url,
    max: options.maxConnections,
    connectionTimeoutMillis: options.connectTimeoutMs,
    ...(options.pooler === null ? limitsOf(options) : { pipeline: true }),
    application_name: options.applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idleTimeoutMillis: 60_000,
    types: typeParsers,
  };
}

const endGraceMs = 500;

/** A frozen server answers no goodbye; a stop of ours must not wait for it. */
async function endWithin(pool: pg.Pool, open: ReadonlySet<pg.PoolClient>, limitMs: number): Promise<void> {
  const timer = setTimeout(() => open.forEach(destroySocket), limitMs);
  try {
    await pool.end();
  } finally {
    clearTimeout(timer);
  }
}

/** `pg` times waiting and dialling separately; this bounds their sum. A connection that comes too late goes back to the pool. */
async function connectBefore(pool: pg.Pool, deadline: number, limitMs: number): Promise<pg.PoolClient> {
  // The pool hands an idle connection over at once, and needs no watch (10 µs a query).
  if (pool.idleCount > pool.waitingCount) {
    return pool.connect();
  }
  const pending = pool.connect();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => {
        pending.then((client) => client.release()).catch(() => {});
        reject(new DatabaseUnavailableError(`The database gave no connection within ${limitMs} ms.`));
      },
      Math.max(0, deadline - performance.now()),
    );
  });
  try {
    return await Promise.race([pending, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
