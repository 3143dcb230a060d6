import { openDatabase } from "@gateway/database";
import { createPartitions } from "@gateway/platform/compose/create-partitions";
import type { Schema } from "@gateway/platform/compose/schema";
import { sql } from "kysely";

/**
 * Lets the clock of one test database go this far ahead of Postgres', or behind it. Every connection follows with its
 * next statement, one whose transaction is open at the latest with its next transaction.
 */
export function moveDatabaseClock(url: string, { offsetMs }: { offsetMs: number }): Promise<void> {
  return replaceNow(url, `statement_timestamp() + interval '${offsetMs} milliseconds'`);
}

/** Stops the clock of one test database at a time. Connections follow as above. */
export function setDatabaseTime(url: string, atMs: number): Promise<void> {
  return replaceNow(url, `timestamptz '${new Date(atMs).toISOString()}'`);
}

/** A clock as `createTestClock` makes it, that takes the clock of a database along. */
export type DatabaseTestClock = {
  /** Milliseconds since 1970. */
  now(): number;
  advance(ms: number): Promise<void>;
  set(ms: number): Promise<void>;
};

/** Both stand still until the test moves them. */
export async function createDatabaseTestClock(
  url: string,
  startMs: number = Date.UTC(2026, 0, 1),
): Promise<DatabaseTestClock> {
  let nowMs = startMs;
  const set = async (ms: number): Promise<void> => {
    // Never behind the database's while that is moved: what falls due there must not be dated before it did.
    nowMs = Math.max(nowMs, ms);
    await setDatabaseTime(url, ms);
    nowMs = ms;
  };
  await set(startMs);
  return { now: () => nowMs, advance: (ms) => set(nowMs + ms), set };
}

/**
 * One expression, as in production: it is put in the place of the call. What is dated has its place at the new time, as
 * if programs had been running all along.
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
