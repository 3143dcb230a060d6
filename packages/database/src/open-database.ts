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
  /** The pooler at `url`, as found by `findPooler`; Postgres itself by default. */
  pooler?: Pooler | null;
  /** Postgres itself, for listening; `url` by default. */
  directUrl?: string | null;
  /** The dialer of the process; a new one by default. */
  dialer?: Dialer;
  maxConnections?: number;
  connectTimeoutMs?: number;
  queryTimeoutMs?: number;
  /** For all queries of a transaction together; twice `queryTimeoutMs` by default. */
  transactionTimeoutMs?: number;
  applicationName?: string;
  /** Until `serve`, a query and its wait for a connection may each take a minute. */
  isStarting?: boolean;
};

/** `Tables` are the tables that the caller declares. */
export type Database<Tables> = {
  kysely: Kysely<Tables>;
  /** The limit of a transaction that serves a request; see `OpenDatabaseOptions`. */
  transactionTimeoutMs: number;
  /** Listens on a channel, or on several, over a connection of its own. The caller closes it before the database. */
  listen(
    channel: string | readonly string[],
    handlers: ListenerHandlers,
    options?: Pick<ListenerOptions, "heartbeatTimeoutMs">,
  ): Listener;
  /** Resolves when the server has returned a query, rejects within 2 s when it has not. */
  ping(): Promise<void>;
  /** Resolves when the server has written to its disk. Leaves nothing behind. */
  tryWrite(): Promise<void>;
  /** Runs statements that no transaction may hold, directly on Postgres. Each has 5 s and may continue after that. */
  administer<Result>(work: (connection: Executor) => Promise<Result>): Promise<Result>;
  /** Ends the start: from now on, queries have the limits of requests. */
  serve(): void;
  poolUsage(): PoolUsage;
  /** Reports how long each query took until its result or failure. Only the last listener is called. */
  onQuery(listener: (durationMs: number) => void): void;
  /** Waits for the queries in flight, then closes the connections. Takes at most 2 s with an unresponsive server. */
  close(): Promise<void>;
};

/** Dials at the first query. When the server is down or frozen, every query fails within 2 s. */
export function openDatabase<Tables>(options: OpenDatabaseOptions): Database<Tables> {
  const { url, directUrl, pooler = null, applicationName = "gateway", queryTimeoutMs = 1_500 } = options;
  const dialer = options.dialer ?? createDialer();
  const transactionTimeoutMs = options.transactionTimeoutMs ?? 2 * queryTimeoutMs;
  let told = (_durationMs: number): void => {};
  const pool = createGuardedPool({
    onQuery: (durationMs) => told(durationMs),
    maxConnections: 10,
    isStarting: false,
    connectTimeoutMs: 1_000,
    ...options,
    ...{ dialer, pooler, applicationName, queryTimeoutMs, transactionTimeoutMs },
  });
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    kysely,
    transactionTimeoutMs,
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

/** Sorts more than fits into this memory, so that a temporary file is written, which needs no table and no right. */
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
    // Closes without waiting, because the server may still be busy.
    endMs: 0,
  });
  const connection = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    return await work(connection);
  } finally {
    await connection.destroy();
  }
}
