import { openDatabase, type Database } from "@gateway/database";
import { createTestDatabase, patience } from "@gateway/testkit";
import { Problem } from "@gateway/contract";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createReadings, type Readings, type ReadingsTables, type Refreshed } from "../src/readings.ts";

const nowMs = Date.UTC(2026, 0, 1, 12);
const hourMs = 60 * 60 * 1000;
const need = { kind: "rate", accountId: "acc_1" };
const subject = "EUR";

let database: Database<ReadingsTables>;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  database = openDatabase({ url, maxConnections: 4, ...patience, applicationName: "test" });
});
afterAll(() => database.close());

const readingsAt = (atMs: number, refreshed: Refreshed | null = null): Readings =>
  createReadings(database.kysely, { clock: { now: () => atMs }, refreshed });
/** An operation that begins to ask then. */
const ask = (atMs: number, value: unknown = atMs): Promise<Refreshed> =>
  readingsAt(atMs).refresh([need], async () => ({ subject, value }));
const read = (refreshed: Refreshed | null, accountId = need.accountId): Promise<unknown> =>
  readingsAt(nowMs, refreshed)
    .read({ ...need, accountId, subject })
    .catch((error: unknown) => (error instanceof Problem ? error.code : error));

describe("a reading counts for the operation that asked for it", () => {
  const askedAt = (atMs: number): Refreshed => ({ asOf: new Date(atMs), failures: new Map() });
  beforeAll(() => ask(nowMs, "1.08"));

  test.each([
    ["at the same time", nowMs, "1.08"],
    ["a millisecond before, whose own answer was overtaken", nowMs - 1, "1.08"],
    ["a millisecond after", nowMs + 1, "UNAVAILABLE"],
    ["a day after", nowMs + 24 * hourMs, "UNAVAILABLE"],
  ])("and for one that began to ask %s: %s", async (_when, atMs, expected) => {
    expect(await read(askedAt(atMs))).toBe(expected);
  });

  test("not for one that did not ask", async () => {
    expect(await read(null)).toBe("UNAVAILABLE");
  });

  test("not for one whose own question failed at the same time: that is thrown", async () => {
    const failure = new Error("away");
    const refreshed = await readingsAt(nowMs).refresh([need], () => Promise.reject(failure));
    expect(await read(refreshed)).toBe(failure);
  });

  test("not for another account", async () => {
    expect(await read(askedAt(nowMs), "acc_2")).toBe("UNAVAILABLE");
  });

  test("and that there is nothing is a reading", async () => {
    expect(await read(await ask(nowMs, null))).toBe(null);
  });
});

test("in whichever order answers come, none of the operations reads one that was asked for before it asked", async () => {
  const times = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(times, async (delays) => {
      await database.kysely.deleteFrom("readings").execute();
      const asked: Refreshed[] = [];
      for (const delay of delays) {
        asked.push(await ask(nowMs + delay));
      }
      for (const refreshed of asked) {
        expect(await read(refreshed)).toBeGreaterThanOrEqual(refreshed.asOf.getTime());
      }
    }),
    { numRuns: 30 },
  );
});

test("an hour after it was asked for it is deleted, and not before", async () => {
  await database.kysely.deleteFrom("readings").execute();
  await ask(nowMs);
  expect(await readingsAt(nowMs + hourMs).deleteExpired(10)).toBe(0);
  expect(await readingsAt(nowMs + hourMs + 1).deleteExpired(10)).toBe(1);
  expect(await database.kysely.selectFrom("readings").selectAll().execute()).toEqual([]);
});
