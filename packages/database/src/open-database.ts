import { Kysely, PostgresDialect, sql } from "kysely";
import { ConnectionPool } from "./connection-pool.ts";
import { createDialer, type Dialer } from "./dialer.ts";
import type { Pooler } from "./find-pooler.ts";
import { createGuardedPool, type PoolUsage } from "./guarded-pool.ts";
import { ReadOnlyDatabaseError } from "./is-unwritable.ts";
import { type Listener, type ListenerHandlers, type ListenerOptions, startListener } from "./listener.ts";
import { transaction, type Executor } from "./transaction.ts";

export type OpenDatabaseOptions = {
  url: string;
  /** What answers at `url`, as `findPooler` found it; Postgres itself unless given. */
  pooler?: Pooler | null;
  /** Postgres itself, for listening; `url` unless given. */
  directUrl?: string | null;
  /** What the process dials with; one of its own unless given. */
  dialer?: Dialer;
  maxConnections?: number;
  connectTimeoutMs?: number;
  queryTimeoutMs?: number;
  /** For all queries of a transaction together; twice `queryTimeoutMs` unless given. */
  transactionTimeoutMs?: number;
  applicationName?: string;
  /** Until `serve`, a query and its wait for a connection may each take a minute. */
  isStarting?: boolean;
};

/** `Tables`: what whoever opens it says is in there. */
export type Database<Tables> = {
  kysely: Kysely<Tables>;
  /** Listens on a channel, or on several, over a connection of its own. The caller closes it before the database. */
  listen(
    channel: string | readonly string[],
    handlers: ListenerHandlers,
    options?: Pick<ListenerOptions, "heartbeatTimeoutMs">,
  ): Listener;
  /** Resolves when the server answered a query, rejects within 2 s when it did not. */
  ping(): Promise<void>;
  /** Resolves when the server has written to its disk. Leaves nothing behind. */
  tryWrite(): Promise<void>;
  /** Statements that no transaction may hold, on a connection to Postgres itself. Each has 5 s and may go on after. */
  administer<Result>(work: (connection: Executor) => Promise<Result>): Promise<Result>;
  /** Ends the start: from now on queries have the limits of requests. */
  serve(): void;
  poolUsage(): PoolUsage;
  /** How long each query takes from its sending to its answer or failure. One listener: the last. */
  onQuery(listener: (durationMs: number) => void): void;
  /** Waits for the queries under way, then closes the connections; at most 2 s with a server that does not answer. */
  close(): Promise<void>;
};

/** Nothing is dialled before the first query. With the server gone or frozen every query fails within 2 s. */
export function openDatabase<Tables>(options: OpenDatabaseOptions): Database<Tables> {
  const { url, directUrl, pooler = null, applicationName = "gateway", queryTimeoutMs = 1_500 } = options;
  const dialer = options.dialer ?? createDialer();
  let told = (_durationMs: number): void => {};
  const pool = createGuardedPool({
    onQuery: (durationMs) => told(durationMs),
    maxConnections: 10,
    isStarting: false,
    connectTimeoutMs: 1_000,
    transactionTimeoutMs: 2 * queryTimeoutMs,
    ...options,
    ...{ dialer, pooler, applicationName, queryTimeoutMs },
  });
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    kysely,
    listen: (channel, handlers, listenerOptions) =>
      startListener({
        url: directUrl ?? url,
        writeUrl: url,
        channels: [channel].flat(),
        ...{ dialer, handlers, applicationName, ...listenerOptions },
      }),
    ping: async () => {
      await sql`select 1`.execute(kysely);
    },
    tryWrite: () => tryWrite(kysely),
    administer: (work) => administer({ url: directUrl ?? url, dialer, applicationName }, work),
    serve: () => pool.serve(),
    poolUsage: () => pool.usage(),
    onQuery: (listener) => {
      told = listener;
    },
    close: () => kysely.destroy(),
  };
}

/** More than fits into this memory goes into a temporary file, which needs no table and no right. */
async function tryWrite<Tables>(db: Kysely<Tables>): Promise<void> {
  await transaction(db, async (trx) => {
    await sql`select set_config('work_mem', '64kB', true)`.execute(trx);
    const { rows } = await sql<{ isReadOnly: boolean }>`
      select current_setting('transaction_read_only')::boolean as "isReadOnly", count(*) from generate_series(1, 10000)
    `.execute(trx);
    if (rows[0]?.isReadOnly) {
      throw new ReadOnlyDatabaseError("The database is read-only.");
    }
  });
}

const administerTimeoutMs = 5_000;

async function administer<Result>(
  { url, dialer, applicationName }: { url: string; dialer: Dialer; applicationName: string },
  work: (connection: Executor) => Promise<Result>,
): Promise<Result> {
  const config = { query_timeout: administerTimeoutMs, application_name: `${applicationName}-administration` };
  const pool = new ConnectionPool({
    dial: (signal) => dialer.dial(url, config, { signal }),
    isHeldUp: () => dialer.isHeldUp(url),
    maxConnections: 1,
    waitMs: () => administerTimeoutMs,
    // Not asked to say goodbye, for it may be at work.
    endMs: 0,
  });
  const connection = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    return await work(connection);
  } finally {
    await connection.destroy();
  }
}
