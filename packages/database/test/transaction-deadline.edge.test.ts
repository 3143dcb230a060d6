import type { Schema } from "@gateway/platform/compose/schema";
import { createTestDatabase, insertAccount } from "@gateway/testkit";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Database, isUnavailable, openDatabase, transaction, type Transaction } from "../src/index.ts";

const transactionTimeoutMs = 1_000;
let db: Database<Schema>;

/** Time stands still until a test moves it. */
beforeEach(async () => {
  const { url } = await createTestDatabase();
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  db = openDatabase<Schema>({ url, maxConnections: 1, queryTimeoutMs: 2_000, transactionTimeoutMs });
});

afterEach(async () => {
  vi.useRealTimers();
  await db.close();
});

/** A row, then queries, each of which takes so long. */
function work(email: string, { queries, tookMs }: { queries: number; tookMs: number }): Promise<void> {
  return transaction(db.kysely, async (trx) => {
    await insertAccount(trx, email);
    for (let count = 0; count < queries; count += 1) {
      await sql`select 1`.execute(trx);
      vi.advanceTimersByTime(tookMs);
    }
  });
}

async function emails(): Promise<string[]> {
  return (await db.kysely.selectFrom("accounts").select("email").execute()).map(({ email }) => email);
}

async function expectTooLate(late: Promise<unknown>): Promise<void> {
  const error: unknown = await late.catch((reason: unknown) => reason);
  expect({ error, isUnavailable: isUnavailable(error) }).toEqual({
    error: expect.objectContaining({ message: "The transaction did not end within 1000 ms." }),
    isUnavailable: true,
  });
  expect(await emails()).toEqual([]);
}

test("a transaction that ends in time commits, however many queries it makes", async () => {
  await work("in-time@example.com", { queries: 111, tookMs: 9 });
  expect(await emails()).toEqual(["in-time@example.com"]);
});

test("one whose deadline comes between two queries ends there as unavailable, and leaves nothing behind", async () => {
  await expectTooLate(work("late@example.com", { queries: 101, tookMs: 10 }));
});

test("one whose deadline comes in the middle of a query ends there as well, although the query alone could take 2 s", async () => {
  const hanging = Promise.withResolvers<void>();
  const late = transaction(db.kysely, async (trx) => {
    await insertAccount(trx, "late@example.com");
    vi.advanceTimersByTime(800);
    const asking = hang(trx);
    hanging.resolve();
    await asking;
  });
  const refused = expectTooLate(late);
  await hanging.promise;
  await vi.advanceTimersByTimeAsync(200);
  await refused;
});

/** Much longer than a test waits: Postgres would end it after 1.9 s. */
function hang(trx: Transaction<Schema>): Promise<unknown> {
  return sql`select pg_sleep(600)`.execute(trx);
}

test("work that takes too long beside the database does not commit", async () => {
  const late = transaction(db.kysely, async (trx) => {
    await insertAccount(trx, "late@example.com");
    vi.advanceTimersByTime(transactionTimeoutMs);
  });

  await expectTooLate(late);
});
