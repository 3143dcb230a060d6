import { Kysely, PostgresDialect, sql } from "kysely";
import { createGuardedPool } from "./guarded-pool.ts";
import { startListener } from "./listener.ts";
import type { Listener, ListenerHandlers } from "./listener.ts";

export type OpenDatabaseOptions = {
  url: string;
  maxConnections?: number;
  connectTimeoutMs?: number;
  queryTimeoutMs?: number;
  applicationName?: string;
};

/** `Tables`: what whoever opens it says is in there. */
export type Database<Tables> = {
  kysely: Kysely<Tables>;
  /** Listens on a channel over a connection of its own. The caller closes it before the database. */
  listen(channel: string, handlers: ListenerHandlers): Listener;
  /** Resolves when the server answered a query, rejects within 2 s when it did not. */
  ping(): Promise<void>;
  /** Waits for the queries under way, then closes the connections; at most 2 s with a server that does not answer. */
  close(): Promise<void>;
};

/**
 * Opens a database. Nothing is dialled before the first query. With the server gone or frozen every query fails within
 * 2 s, in a transaction too, with an error that `isUnavailable` knows; when the server is back, queries work again.
 */
export function openDatabase<Tables>(options: OpenDatabaseOptions): Database<Tables> {
  const settings = {
    maxConnections: 10,
    connectTimeoutMs: 1_000,
    queryTimeoutMs: 1_500,
    applicationName: "gateway",
    ...options,
  };
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: createGuardedPool(settings) }) });
  return {
    kysely,
    listen: (channel, handlers) =>
      startListener({ url: settings.url, channel, handlers, applicationName: `${settings.applicationName}-listener` }),
    ping: async () => {
      await sql`select 1`.execute(kysely);
    },
    close: () => kysely.destroy(),
  };
}
