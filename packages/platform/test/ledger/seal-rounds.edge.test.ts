import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { createBooks, type Books } from "./books.ts";

test("a round seals every account, however many there are, in each of four rounds", async () => {
  const books = await createBooks();
  onTestFinished(() => books.database.close());
  const accounts = await Promise.all(Array.from({ length: 110 }, (_, index) => createPoster(books, index)));
  for (let round = 1; round <= 4; round += 1) {
    await Promise.all(accounts.map((post) => post()));
    await books.platform.ledger.seals.sealAll();
    const { rows } = await sql`select from ledger_transactions where sequence is null`.execute(books.database.kysely);
    expect(rows).toEqual([]);
  }
});

/** Creates an account, and a function that posts once to it. */
async function createPoster({ platform }: Books, index: number): Promise<() => Promise<unknown>> {
  const account = await platform.accounts.create({
    email: `poster-${index}@example.com`,
    tier: "growth",
    requestsPerMinute: null,
  });
  const accountId = account?.id ?? "";
  const own = { accountId, currency: "EUR", mayBeNegative: true, externalId: null, metadata: {} } as const;
  const [from, to] = await platform.inAccount(accountId, async ({ ledger }) => [
    (await ledger.accounts.create({ ...own, name: "A" })).id,
    (await ledger.accounts.create({ ...own, name: "B" })).id,
  ]);
  const entries = [
    { ledgerAccountId: from ?? "", direction: "debit", amountMinor: 1 },
    { ledgerAccountId: to ?? "", direction: "credit", amountMinor: 1 },
  ] as const;
  const posting = { accountId, entries, description: null, externalId: null, metadata: {} };
  return () => platform.inAccount(accountId, ({ ledger }) => ledger.transactions.create(posting));
}
