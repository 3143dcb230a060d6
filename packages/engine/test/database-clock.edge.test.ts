import { openDatabase } from "@gateway/database";
import { createLogger } from "@gateway/kernel";
import { createTestDatabase, setDatabaseTime, waitFor, patience } from "@gateway/testkit";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { startDatabaseClock, type DatabaseClockOptions } from "../src/database-clock.ts";
import type { PlatformDatabase, Schema } from "@gateway/platform/compose/schema";

let url: string;
let database: PlatformDatabase;

/** Both clocks are stopped until a test moves them, so a round trip takes no time and measurements are exact. */
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: Date.UTC(2026, 10, 27) });
  ({ url } = await createTestDatabase());
  database = openDatabase<Schema>({ url, maxConnections: 1, ...patience });
});

afterEach(async () => {
  vi.useRealTimers();
  await database.close();
});

const hourMs = 3_600_000;
const intervalMs = 5;

async function startClock(options: DatabaseClockOptions = {}) {
  let questions = 0;
  let answer = async (): Promise<void> => {};
  const { kysely } = database;
  const clock = await startDatabaseClock(
    kysely.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        questions += 1;
        await answer();
        return result;
      },
    }),
    { intervalMs, ...options },
  );
  onTestFinished(() => clock.stop());
  return {
    clock,
    /** Runs before each response of the database arrives. */
    onAnswer: (work: () => Promise<void>) => {
      answer = work;
    },
    /** Waits for as many queries as two measurements make. */
    measuredAgain: async () => {
      const before = questions;
      await waitFor(() => questions >= before + 6);
    },
  };
}

/** Postgres' clock, this far ahead of the machine's. */
async function setAhead(offsetMs: number): Promise<number> {
  const nowMs = Date.now() + offsetMs;
  await setDatabaseTime(url, nowMs);
  return nowMs;
}

describe("the clock tells Postgres' time in whole milliseconds", () => {
  test.each([0, 20_000, -hourMs])("which is %i ms ahead of this machine", async (offsetMs) => {
    const nowMs = await setAhead(offsetMs);
    const { clock } = await startClock();

    expect([clock.now(), clock.differenceMs() + offsetMs]).toEqual([nowMs, 0]);
    vi.advanceTimersByTime(0.5);
    expect(clock.now()).toBe(nowMs);
  });

  test("also when that is set while the program runs", async () => {
    const { clock, measuredAgain } = await startClock();
    const nowMs = await setAhead(hourMs);
    await measuredAgain();

    expect(clock.now()).toBe(nowMs);
  });

  test("and when this machine's clock is set, of which it tells the difference", async () => {
    const nowMs = await setAhead(0);
    const { clock, measuredAgain } = await startClock();
    vi.setSystemTime(nowMs - hourMs);
    await measuredAgain();

    expect({ nowMs: clock.now(), differenceMs: clock.differenceMs() }).toEqual({ nowMs, differenceMs: -hourMs });
  });
});

test("while the database does not answer, the last measurement holds and time goes on", async () => {
  const nowMs = await setAhead(0);
  const { clock, onAnswer } = await startClock();
  let failures = 0;
  onAnswer(async () => {
    failures += 1;
    throw new Error("away");
  });
  vi.advanceTimersByTime(hourMs);
  await waitFor(() => failures >= 3);

  expect(clock.now()).toBe(nowMs + hourMs);
});

test("an answer that takes long contradicts nothing, so time does not waver", async () => {
  await setAhead(0);
  const { clock, onAnswer, measuredAgain } = await startClock();
  onAnswer(async () => {
    vi.advanceTimersByTime(30);
    await setAhead(0);
  });
  await measuredAgain();

  expect(clock.differenceMs()).toBe(0);
});

test("there is no clock without a first measurement", async () => {
  await database.ping();
  await database.close();

  await expect(startDatabaseClock(database.kysely)).rejects.toThrow("destroyed");
});

test("a difference of over a second is told once, again when it changes, and when it is over", async () => {
  const lines: { level: string; differenceMs: number }[] = [];
  const logger = createLogger({
    name: "test",
    level: "info",
    destination: { write: (line) => lines.push(JSON.parse(line)) },
  });
  await setAhead(0);
  let aheadMs = 20_000;
  const { measuredAgain } = await startClock({ logger, machineClock: { now: () => Date.now() + aheadMs } });
  for (const nextMs of [20_000, 20_900, -60_000, -59_100, 0, 900]) {
    aheadMs = nextMs;
    await measuredAgain();
  }

  expect(lines.map(({ level, differenceMs }) => [level, Math.round(differenceMs / 1000)])).toEqual([
    ["warn", 20],
    ["warn", -60],
    ["info", 0],
  ]);
});
