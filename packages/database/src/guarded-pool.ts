import type { PostgresPool } from "kysely";
import type pg from "pg";
import { ConnectionPool } from "./connection-pool.ts";
import { dialLimitMs, type DialConfig, type Dialer } from "./dialer.ts";
import type { Pooler } from "./find-pooler.ts";
import { GuardedClient, type GuardedClientOptions } from "./guarded-client.ts";
import { createStatementNames } from "./statement-names.ts";
import { typeParsers } from "./type-parsers.ts";

export type PoolOptions = {
  url: string;
  dialer: Dialer;
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
 * The pool that Kysely draws from. A caller waits at most `connectTimeoutMs` for a connection; a query takes at most `queryTimeoutMs`,
 * after which the server cancels it too. When one connection breaks, those opened before it are not used again: after a failover or a
 * freeze only the first request pays for finding out.
 *
 * Behind a pooler the same holds by other means: a session there is shared, and its start-up parameters are refused or thrown away, so
 * each transaction begins with its limits, and a statement alone is a transaction.
 */
export function createGuardedPool(options: PoolOptions): GuardedPool {
  const { url, dialer, connectTimeoutMs, maxConnections } = options;
  const config = clientConfigOf(options);
  // A dial lasts at least as long as its caller waits.
  const limitMs = Math.max(dialLimitMs, connectTimeoutMs);
  const pool = new ConnectionPool({
    dial: (signal) => dialer.dial(url, config, { signal, limitMs }),
    isHeldUp: () => dialer.isHeldUp(url),
    maxConnections,
    waitMs: connectTimeoutMs,
    endMs: options.queryTimeoutMs + endGraceMs,
  });
  const clientOptions = clientOptionsOf(options);
  const clients = new WeakMap<pg.PoolClient, Guarded>();
  let generation = 0;

  const isOutdated = (client: pg.PoolClient): boolean => (clients.get(client)?.generation ?? generation) < generation;
  const guard = (client: pg.PoolClient): Guarded => {
    const known = clients.get(client);
    if (known) {
      return known;
    }
    const onBroken = (): void => outdate(own);
    const isStale = (): boolean => isOutdated(client);
    const own: Guarded = { generation, client: new GuardedClient(client, { ...clientOptions, onBroken, isStale }) };
    clients.set(client, own);
    return own;
  };
  const outdate = (broken: Guarded): void => {
    generation = Math.max(generation, broken.generation + 1);
    pool.dropIdle(isOutdated);
  };
  return {
    options: {},
    connect: async () => guard(await pool.connect()).client,
    end: () => pool.end(),
    usage: () => ({ size: maxConnections, inUse: pool.inUseCount, waiting: pool.waitingCount }),
  };
}

const endGraceMs = 500;
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

function clientOptionsOf(options: PoolOptions): Omit<GuardedClientOptions, "onBroken" | "isStale"> {
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

function clientConfigOf(options: PoolOptions): DialConfig {
  return {
    ...(options.pooler === null ? limitsOf(options) : { pipeline: true }),
    application_name: options.applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: typeParsers,
  };
}
