import { openDatabase } from "@gateway/database";
import { createPartitions } from "@gateway/platform/compose/create-partitions";
import type { Schema } from "@gateway/platform/compose/schema";
import { sql } from "kysely";

/**
 * Moves the clock of one test database ahead of Postgres', or behind it. Every connection follows with its next
 * statement. A connection with an open transaction follows with its next transaction at the latest.
 */
export function moveDatabaseClock(url: string, { offsetMs }: { offsetMs: number }): Promise<void> {
  return replaceNow(url, `statement_timestamp() + interval '${offsetMs} milliseconds'`);
}

/** Stops the clock of one test database at a time. Connections follow as above. */
export function setDatabaseTime(url: string, atMs: number): Promise<void> {
  return replaceNow(url, `timestamptz '${new Date(atMs).toISOString()}'`);
}

/** A clock like that of `createTestClock` that also sets the clock of a database. */
export type DatabaseTestClock = {
  /** Milliseconds since 1970. */
  now(): number;
  advance(ms: number): Promise<void>;
  set(ms: number): Promise<void>;
};

/** Both clocks stand still until the test moves them. */
export async function createDatabaseTestClock(
  url: string,
  startMs: number = Date.UTC(2026, 0, 1),
): Promise<DatabaseTestClock> {
  let nowMs = startMs;
  const set = async (ms: number): Promise<void> => {
    // Our clock is never behind the database's during the move. Otherwise work that falls due there would be dated
    // before its time.
    nowMs = Math.max(nowMs, ms);
    await setDatabaseTime(url, ms);
    nowMs = ms;
  };
  await set(startMs);
  return { now: () => nowMs, advance: (ms) => set(nowMs + ms), set };
}

/**
 * Replaces the body of `gateway_now()` by one expression, because Postgres inlines such a function in production too.
 * Also creates the partitions for rows dated by the new time, as if the programs had run all along.
 */
async function replaceNow(url: string, expression: string): Promise<void> {
  const { kysely, close } = openDatabase<Schema>({
    url,
    maxConnections: 1,
    connectTimeoutMs: 30_000,
    queryTimeoutMs: 30_000,
  });
  try {
    await sql`
      create or replace function gateway_now() returns timestamptz language sql stable parallel safe
      return ${sql.raw(expression)}
    `.execute(kysely);
    const { rows } = await sql<{ ms: number }>`select (extract(epoch from gateway_now()) * 1000)::float8 as ms`.execute(
      kysely,
    );
    await createPartitions(kysely, { nowMs: rows[0]?.ms ?? NaN });
  } finally {
    await close();
  }
}
