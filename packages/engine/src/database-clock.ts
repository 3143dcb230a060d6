import { setTimeout as delay } from "node:timers/promises";
import type { Executor } from "@gateway/database";
import { systemClock, type Clock, type Logger } from "@gateway/kernel";
import { sql } from "kysely";

/** Postgres' time, in whole milliseconds. */
export type DatabaseClock = Clock & {
  /** How far this machine's clock is ahead of Postgres'; negative when it is behind. */
  differenceMs(): number;
  stop(): Promise<void>;
};

export type DatabaseClockOptions = {
  /** Gets one entry when the difference exceeds a second, and another when it has changed by as much again. */
  logger?: Logger | undefined;
  /** It is only compared, so it may be wrong, and may be set while the program runs. */
  machineClock?: Clock;
  intervalMs?: number;
};

const samples = 3;
const notableMs = 1_000;

/** Reads Postgres' time now and every 10 s, and counts on by the monotonic clock. Rejects when the first read fails. */
export async function startDatabaseClock(
  db: Executor,
  { logger, machineClock = systemClock, intervalMs = 10_000 }: DatabaseClockOptions = {},
): Promise<DatabaseClock> {
  const first = await measureOrigin(db);
  let originMs = (first.earliestMs + first.latestMs) / 2;
  const now = (): number => Math.floor(originMs + performance.now());
  const differenceMs = (): number => machineClock.now() - now();
  const tellDifference = createTellDifference(logger);
  const correct = async (): Promise<void> => {
    const { earliestMs, latestMs } = await measureOrigin(db);
    // The origin stays unless a measurement contradicts it: a slow response is imprecise, and time should not waver.
    originMs = Math.min(Math.max(originMs, earliestMs), latestMs);
    tellDifference(differenceMs());
  };

  tellDifference(differenceMs());
  const closing = new AbortController();
  const following = repeat(correct, { intervalMs, signal: closing.signal });
  return {
    now,
    differenceMs,
    stop: async () => {
      closing.abort();
      await following;
    },
  };
}

/** Postgres' time when `performance.now()` was 0. */
type Origin = { earliestMs: number; latestMs: number };

async function measureOrigin(db: Executor): Promise<Origin> {
  let best: Origin = { earliestMs: -Infinity, latestMs: Infinity };
  for (let count = 0; count < samples; count += 1) {
    const askedAtMs = performance.now();
    const nowMs = await readTimeMs(db);
    const origin = { earliestMs: nowMs - performance.now(), latestMs: nowMs - askedAtMs };
    best = widthOf(origin) < widthOf(best) ? origin : best;
  }
  return best;
}

async function readTimeMs(db: Executor): Promise<number> {
  const { rows } = await sql<{ now_ms: number }>`
    select (extract(epoch from gateway_now()) * 1000)::float8 as now_ms
  `.execute(db);
  const [row] = rows;
  if (!row) {
    throw new Error("The database did not tell its time.");
  }
  return row.now_ms;
}

function widthOf({ earliestMs, latestMs }: Origin): number {
  return latestMs - earliestMs;
}

async function repeat(
  work: () => Promise<void>,
  { intervalMs, signal }: { intervalMs: number; signal: AbortSignal },
): Promise<void> {
  while (await delay(intervalMs, true, { signal }).catch(() => false)) {
    // A lost database is reported by the code that needs it.
    await work().catch(() => {});
  }
}

function createTellDifference(logger: Logger | undefined): (differenceMs: number) => void {
  let toldMs = 0;
  return (differenceMs) => {
    if (Math.abs(differenceMs - toldMs) <= notableMs) {
      return;
    }
    const isOff = Math.abs(differenceMs) > notableMs;
    toldMs = isOff ? differenceMs : 0;
    if (isOff) {
      logger?.warn(
        { differenceMs },
        "this machine's clock differs from Postgres', which is used; set both from the same time server",
      );
    } else {
      logger?.info({ differenceMs }, "this machine's clock agrees with Postgres' again");
    }
  };
}
