import { createDialer, findPooler, openDatabase, whenAvailable, type Database } from "@gateway/database";
import { ConfigurationError, type Logger } from "@gateway/kernel";
import { sql } from "kysely";
import type { ConsoleTables } from "./tables.ts";
import { startDatabaseClock, type DatabaseClock } from "@gateway/engine/database-clock";
import { tellWaits } from "@gateway/engine/tell-waits";

export type ConsoleDatabase = Database<ConsoleTables> & { clock: DatabaseClock };

/** Limit for all queries of one renewal: the longest response time of the identity provider, and some more. */
const renewalTimeoutMs = 8_000;

/**
 * Opens the console's own sessions with a separate role. It migrates nothing; missing rights are a ConfigurationError.
 */
export async function openConsoleDatabase({
  url,
  maxConnections,
  logger,
}: {
  url: string;
  maxConnections: number;
  logger: Logger;
}): Promise<ConsoleDatabase> {
  const dialer = createDialer();
  const wait = { onWait: tellWaits(logger) };
  const database = openDatabase<ConsoleTables>({
    url,
    dialer,
    pooler: await whenAvailable(() => findPooler(url, { dialer }), wait),
    isStarting: true,
    maxConnections,
    transactionTimeoutMs: renewalTimeoutMs,
    applicationName: "console",
  });
  try {
    await whenAvailable(() => checkRights(database), wait);
    const clock = await whenAvailable(() => startDatabaseClock(database.kysely, { logger }), wait);
    return {
      ...database,
      clock,
      close: async () => {
        await Promise.all([clock.stop(), database.close()]);
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Class 42: the table does not exist, or the role has no rights to it. */
async function checkRights({ kysely }: Database<ConsoleTables>): Promise<void> {
  try {
    await sql`select from console_sessions limit 0`.execute(kysely);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "42P01" || code === "42501") {
      throw new ConfigurationError([
        code === "42P01"
          ? "CONSOLE_DATABASE_URL leads to a database without the table console_sessions: start the gateway of this release first, which makes it"
          : "The role of CONSOLE_DATABASE_URL may not read console_sessions: deploy/postgres/console-role.sql gives it its rights",
      ]);
    }
    throw error;
  }
}
