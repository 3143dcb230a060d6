import { openDatabase, type Database } from "@gateway/database";
import { createTestDatabase, patience } from "@gateway/testkit";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createReadings, type Readings, type ReadingsTables, type Refreshed } from "../src/readings.ts";

const nowMs = Date.UTC(2026, 0, 1, 12);
const hourMs = 60 * 60 * 1000;
const need = { kind: "rate", accountId: "acc_1" };
const subject = "EUR";

let database: Database<ReadingsTables>;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  database = openDatabase({ url, maxConnections: 2, ...patience, applicationName: "test" });
});
afterAll(() => database.close());
beforeEach(() => database.kysely.deleteFrom("readings").execute());

const readingsAt = (atMs: number, refreshed: Refreshed | null = null): Readings =>
  createReadings(database.kysely, { clock: { now: () => atMs }, refreshed });
/** Reads like an operation that begins at that time. */
const ask = (atMs: number, value: unknown = atMs): Promise<Refreshed> =>
  readingsAt(atMs).refresh([need], async () => ({ subject, value }));
const read = (refreshed: Refreshed | null, accountId = need.accountId): Promise<unknown> =>
  readingsAt(nowMs, refreshed).read({ ...need, accountId, subject });
const tooOld = expect.objectContaining({ code: "UNAVAILABLE" });

test.each([
  ["is read by an operation that began to ask at the same time", 0],
  ["is read by one that began before, and whose own answer it came after", -1],
])("a reading %s", async (_what, byMs) => {
  await ask(nowMs, null);
  expect(await read({ asOf: new Date(nowMs + byMs), failures: new Map() })).toBe(null);
});

test.each([
  ["one that began to ask a millisecond later", { asOf: new Date(nowMs + 1), failures: new Map() }, need.accountId],
  ["one that did not ask", null, need.accountId],
  ["one of another account", { asOf: new Date(nowMs), failures: new Map() }, "acc_2"],
])("a reading is too old for %s", async (_what, refreshed, accountId) => {
  await ask(nowMs);
  await expect(read(refreshed, accountId)).rejects.toEqual(tooOld);
});

test("an operation whose own question failed gets that failure, whatever others were told at the same time", async () => {
  await ask(nowMs);
  const failure = new Error("away");
  const refreshed = await readingsAt(nowMs).refresh([need], () => Promise.reject(failure));
  await expect(read(refreshed)).rejects.toBe(failure);
});

test("in whichever order answers come, none of the operations reads one that was asked for before it asked", async () => {
  const delays = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(delays, async (each) => {
      await database.kysely.deleteFrom("readings").execute();
      const asked: Refreshed[] = [];
      for (const delay of each) {
        asked.push(await ask(nowMs + delay));
      }
      for (const refreshed of asked) {
        expect(await read(refreshed)).toBeGreaterThanOrEqual(refreshed.asOf.getTime());
      }
    }),
    { numRuns: 30 },
  );
});

test("an hour after it was asked for a reading is deleted, and not before", async () => {
  await ask(nowMs);
  expect(await readingsAt(nowMs + hourMs).deleteExpired(10)).toBe(0);
  expect(await readingsAt(nowMs + hourMs + 1).deleteExpired(10)).toBe(1);
});
