import { openDatabase } from "@gateway/database";
import { createLogger } from "@gateway/kernel";
import { createTestDatabase, moveDatabaseClock, shiftMachineClock, waitFor } from "@gateway/testkit";
import { sql } from "kysely";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { startDatabaseClock, type DatabaseClockOptions, type PlatformDatabase, type Schema } from "../src/index.ts";

let url: string;
let database: PlatformDatabase;

beforeEach(async () => {
  ({ url } = await createTestDatabase());
  database = openDatabase<Schema>({ url, maxConnections: 1 });
});

afterEach(() => database.close());

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
    /** Before each answer of the database comes through. */
    onAnswer: (work: () => Promise<void>) => {
      answer = work;
    },
    /** Until the database was asked twice as often as one measurement asks. */
    measuredAgain: async () => {
      const before = questions;
      await waitFor(() => questions >= before + 6);
    },
  };
}

async function databaseTimeMs(): Promise<number> {
  const { rows } = await sql<{ now: Date }>`select gateway_now() as now`.execute(database.kysely);
  return rows[0]?.now.getTime() ?? Number.NaN;
}

async function expectDatabaseTime(readMs: () => number): Promise<void> {
  const before = await databaseTimeMs();
  const nowMs = readMs();
  const after = await databaseTimeMs();
  // It is known to half a round trip, which may be long on a busy machine.
  expect(nowMs).toBeGreaterThan(before - 1_000);
  expect(nowMs).toBeLessThan(after + 1_000);
}

describe("the clock tells Postgres' time in whole milliseconds", () => {
  test.each([0, 20_000, -hourMs])("which is %i ms ahead of this machine", async (offsetMs) => {
    await moveDatabaseClock(url, { offsetMs });
    const { clock } = await startClock();

    await expectDatabaseTime(clock.now);
    expect(Number.isInteger(clock.now())).toBe(true);
    expect(Math.abs(clock.differenceMs() + offsetMs)).toBeLessThan(1_000);
  });

  test("also when that is set while the program runs", async () => {
    const { clock, measuredAgain } = await startClock();
    await moveDatabaseClock(url, { offsetMs: hourMs });
    await measuredAgain();

    await expectDatabaseTime(clock.now);
  });

  test("and when this machine's clock is set, of which it tells the difference", async () => {
    const { clock, measuredAgain } = await startClock();
    const restore = shiftMachineClock(-hourMs);
    onTestFinished(restore);
    await measuredAgain();

    expect(Math.abs(clock.differenceMs() + hourMs)).toBeLessThan(1_000);
    await expectDatabaseTime(clock.now);
  });
});

test("while the database does not answer, the last measurement holds and time goes on", async () => {
  const { clock, onAnswer } = await startClock();
  let failures = 0;
  onAnswer(async () => {
    failures += 1;
    throw new Error("away");
  });
  const origin = clock.now() - performance.now();
  await waitFor(() => failures >= 3);

  expect(Math.abs(clock.now() - performance.now() - origin)).toBeLessThanOrEqual(1);
});

test("an answer that takes long contradicts nothing, so time does not waver", async () => {
  const { clock, onAnswer, measuredAgain } = await startClock();
  onAnswer(async () => {
    await delay(30);
  });
  const origin = clock.now() - performance.now();
  await measuredAgain();

  expect(Math.abs(clock.now() - performance.now() - origin)).toBeLessThanOrEqual(1);
});

test("there is no clock without a first measurement", async () => {
  await databaseTimeMs();
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
