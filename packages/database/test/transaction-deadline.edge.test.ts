import type { Schema } from "@gateway/platform";
import { createTestDatabase, insertAccount } from "@gateway/testkit";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, isUnavailable, openDatabase, transaction } from "../src/index.ts";

let db: Database<Schema>;

beforeEach(async () => {
  const { url } = await createTestDatabase();
  db = openDatabase<Schema>({ url, maxConnections: 1, queryTimeoutMs: 2_000, transactionTimeoutMs: 1_000 });
});

afterEach(() => db.close());

/** A row, then queries of which none takes long. */
function work(email: string, { queries, seconds }: { queries: number; seconds: number }): Promise<void> {
  return transaction(db.kysely, async (trx) => {
    await insertAccount(trx, email);
    for (let count = 0; count < queries; count += 1) {
      await sql`select pg_sleep(${seconds})`.execute(trx);
    }
  });
}

async function emails(): Promise<string[]> {
  return (await db.kysely.selectFrom("accounts").select("email").execute()).map(({ email }) => email);
}

test("a transaction that ends in time commits, however many queries it makes", async () => {
  await work("in-time@example.com", { queries: 20, seconds: 0.01 });
  expect(await emails()).toEqual(["in-time@example.com"]);
});

test.each([
  ["between two queries", { queries: 500, seconds: 0.01 }],
  ["in the middle of a query", { queries: 2, seconds: 0.8 }],
])("one whose deadline comes %s ends there as unavailable, and leaves nothing behind", async (_when, queries) => {
  const startMs = performance.now();
  const error: unknown = await work("late@example.com", queries).catch((reason: unknown) => reason);
  const tookMs = performance.now() - startMs;

  expect({ error, isUnavailable: isUnavailable(error) }).toEqual({
    error: expect.objectContaining({ message: "The transaction did not end within 1000 ms." }),
    isUnavailable: true,
  });
  expect(tookMs).toBeGreaterThan(990);
  // Each query alone may take 2 s.
  expect(tookMs).toBeLessThan(1_500);
  expect(await emails()).toEqual([]);
});

test("work that takes too long beside the database does not commit", async () => {
  const late = transaction(db.kysely, async (trx) => {
    await insertAccount(trx, "late@example.com");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
  });

  await expect(late).rejects.toThrow("did not end within");
  expect(await emails()).toEqual([]);
});
