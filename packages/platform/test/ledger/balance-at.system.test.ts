import { createTypeIds } from "@gateway/kernel";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LedgerTables } from "../../src/ledger/index.ts";
import { readBalanceAt } from "../../src/ledger/read-balance-at.ts";
import { createBooks, type Books } from "./books.ts";

let books: Books;

beforeAll(async () => {
  books = await createBooks();
});
afterAll(() => books.database.close());

/**
 * Transactions in the order of their commits. Each was created up to a minute before, and got its `posting_no` then or
 * just now.
 */
type Booking = { afterMs: number; openMs: number; isNumberedAtOnce: boolean; amount: number; isSealed: boolean };

const bookings = fc.array(
  fc.record({
    afterMs: fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 86_400_000 })),
    openMs: fc.integer({ min: 0, max: 60_000 }),
    isNumberedAtOnce: fc.boolean(),
    amount: fc.integer({ min: 1, max: 1_000 }),
    isSealed: fc.boolean(),
  }),
  { minLength: 1, maxLength: 20 },
);

test("the balance at any moment is the plain sum of what was created by then, however late it was committed", async () => {
  const db = books.database.kysely.$pickTables<keyof LedgerTables>();
  await fc.assert(
    fc.asyncProperty(bookings, async (booked) => {
      const { accountId, ledgerAccountId, created } = await book(booked);
      const moments = created.flatMap(({ ms }) => [ms - 1, ms, ms + 30_000, ms + 60_000]);
      const read = moments.map((ms) => readBalanceAt(db, { accountId, ledgerAccountId, at: new Date(ms) }));
      const sums = moments.map((moment) =>
        created.filter(({ ms }) => ms <= moment).reduce((sum, { amount }) => sum + amount, 0),
      );
      expect(await Promise.all(read)).toEqual(sums);
    }),
    { numRuns: 40 },
  );
}, 60_000);

async function book(booked: readonly Booking[]) {
  const createId = createTypeIds(books.clock);
  const accountId = createId("acc");
  const ledgerAccountId = createId("lac");
  const created: { ms: number; amount: number }[] = [];
  let nowMs = Date.UTC(2026, 0, 1);
  for (const { afterMs, openMs, isNumberedAtOnce, amount, isSealed } of booked) {
    nowMs += afterMs;
    const id = createId("ltx");
    const ms = nowMs - openMs;
    created.push({ ms, amount });
    await sql`
      with booked as (
        insert into ledger_transactions (account_id, id, kind, posting_no, created_at)
        values (${accountId}, ${id}, 'manual', ${isNumberedAtOnce ? ms : nowMs}, ${new Date(ms)})
      )
      insert into ledger_entries (account_id, id, ledger_account_id, direction, amount, created_at)
      values (${accountId}, ${`${id}_00`}, ${ledgerAccountId}, 'credit', ${amount}, ${new Date(ms)})
    `.execute(books.database.kysely);
    if (isSealed) {
      await books.platform.ledger.seals.seal(accountId);
    }
  }
  await books.platform.ledger.seals.seal(accountId);
  return { accountId, ledgerAccountId, created };
}
