import { isUnavailable } from "@gateway/database";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PostingEntry } from "../../src/ledger/index.ts";
import { available, createBooks, type Books } from "./books.ts";

const greatest = 9_007_199_254_740_991;

describe("postings", () => {
  let books: Books;

  beforeAll(async () => {
    books = await createBooks();
  });
  afterAll(() => books.database.close());

  const balanceOf = async (id: string) => {
    const wallet = await books.platform.ledger.wallets.get({ id, accountId: books.accountId });
    return wallet && [wallet.availableMinor, wallet.pendingMinor, wallet.heldMinor];
  };

  const setStatus = (id: string, status: "frozen" | "closed") =>
    books.database.kysely.updateTable("wallets").set({ status }).where("id", "=", id).execute();

  const hold = (walletId: string, amountMinor: number) =>
    books.post({
      kind: "hold",
      cause: { type: "payment", id: "pay_1" },
      entries: [
        { place: available(walletId), direction: "debit", amountMinor },
        { place: { kind: "wallet", walletId, part: "held" }, direction: "credit", amountMinor },
      ],
    });

  test("whatever is posted, the books balance and every change of a wallet is told once, in order", async () => {
    const wallets = [await books.createWallet(), await books.createWallet(), await books.createWallet()];
    const amount = fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 1, max: 1_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: greatest - 1_000, max: greatest }) },
    );
    const place = fc.oneof(
      fc
        .tuple(fc.constantFrom(...wallets), fc.constantFrom("available", "pending", "held"))
        .map(([walletId, part]) => ({ kind: "wallet" as const, walletId, part: part as "held" })),
      fc
        .constantFrom("equity", "rail", "chain")
        .map((part) => ({ kind: "clearing" as const, currency: "EUR" as const, part: part as "rail" })),
    );
    const movement = fc.tuple(place, place, amount).map(([from, to, amountMinor]): PostingEntry[] => [
      { place: from, direction: "debit", amountMinor },
      { place: to, direction: "credit", amountMinor },
    ]);
    const posting = fc.array(movement, { minLength: 1, maxLength: 4 }).map((movements) => movements.flat());
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(posting, { minLength: 1, maxLength: 8 }), async (postings) => {
        const results = await Promise.all(postings.map((entries) => patiently(() => books.post({ entries }))));
        results.forEach((result) => outcomes.add(result.kind === "refused" ? result.code : result.kind));
        await books.check();
      }),
      { numRuns: 25 },
    );
    expect([...outcomes].toSorted()).toEqual(["BALANCE_LIMIT_REACHED", "INSUFFICIENT_FUNDS", "posted"]);
  }, 60_000);

  test("64 debits at once take what is there, and no more", async () => {
    const [from, to] = [await books.createWallet(), await books.createWallet()];
    await books.fund(from, 1_000);
    const results = await Promise.allSettled(
      Array.from({ length: 64 }, () => patiently(() => books.move(from, to, 30))),
    );
    const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason as object] : []));
    expect(refusals).toHaveLength(64 - 33);
    expect(refusals).toEqual(refusals.map(() => expect.objectContaining({ code: "INSUFFICIENT_FUNDS" })));
    expect(await balanceOf(from)).toEqual([10, 0, 0]);
    expect(await balanceOf(to)).toEqual([990, 0, 0]);
    await books.check();
  });

  test("transfers that cross in every direction never wait for one another in a circle", async () => {
    const wallets = await Promise.all(Array.from({ length: 5 }, () => books.createWallet()));
    for (const wallet of wallets) {
      await books.fund(wallet, 10_000);
    }
    const moveOften = async (worker: number): Promise<void> => {
      for (let index = worker; index < 10 + worker; index += 1) {
        const to = wallets[(index + 1 + (worker % 4)) % 5] ?? "";
        await patiently(() => books.move(wallets[index % 5] ?? "", to, 1 + (index % 7)));
      }
    };
    await Promise.all(Array.from({ length: 20 }, (_, worker) => moveOften(worker)));
    const left = await Promise.all(wallets.map(balanceOf));
    expect(left.reduce((sum, balance) => sum + (balance?.[0] ?? 0), 0)).toBe(50_000);
    await books.check();
  });

  test("of 24 reversals at once one wins, the others are told so, and nothing is written twice", async () => {
    const [from, to] = [await books.createWallet(), await books.createWallet()];
    await books.fund(from, 100);
    const { id } = await books.move(from, to, 60);
    const reverse = () =>
      patiently(() => books.platform.ledger.transactions.reverse({ id, accountId: books.accountId }));
    const results = await Promise.allSettled(Array.from({ length: 24 }, reverse));
    const won = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    const lost = results.flatMap((result) => (result.status === "rejected" ? [result.reason as object] : []));
    expect(won).toMatchObject([{ kind: "reversal", reverses: id }]);
    expect(lost).toEqual(Array.from({ length: 23 }, () => expect.objectContaining({ code: "ALREADY_REVERSED" })));
    expect(await balanceOf(from)).toEqual([100, 0, 0]);
    const [reversal] = won;
    expect(await books.platform.ledger.transactions.get({ id, accountId: books.accountId })).toMatchObject({
      reversedBy: reversal?.id,
    });
    await expect(
      books.platform.ledger.transactions.reverse({ id: reversal?.id ?? "", accountId: books.accountId }),
    ).rejects.toMatchObject({ code: "INVALID_STATE" });
    await books.check();
  });

  test("what is not there any more is not taken back, and the transaction may be reversed later", async () => {
    const [from, to, third] = [await books.createWallet(), await books.createWallet(), await books.createWallet()];
    await books.fund(from, 100);
    const { id } = await books.move(from, to, 100);
    const back = await books.move(to, third, 1);
    const reverse = (one: string) =>
      books.platform.ledger.transactions.reverse({ id: one, accountId: books.accountId });
    await expect(reverse(id)).rejects.toMatchObject({ code: "INSUFFICIENT_FUNDS" });
    await reverse(back.id);
    await reverse(id);
    expect(await balanceOf(from)).toEqual([100, 0, 0]);
  });

  test("a wallet that holds the greatest amount moves all of it within itself, and takes no more", async () => {
    const wallet = await books.createWallet();
    await books.fund(wallet, greatest);
    expect(await books.fund(wallet, 1)).toMatchObject({ kind: "refused", code: "BALANCE_LIMIT_REACHED" });
    expect(await hold(wallet, greatest)).toMatchObject({ kind: "posted" });
    expect(await balanceOf(wallet)).toEqual([0, 0, greatest]);
    expect(await books.fund(wallet, 1)).toMatchObject({ kind: "refused", code: "BALANCE_LIMIT_REACHED" });
    expect(await hold(wallet, 1)).toMatchObject({ kind: "refused", code: "INSUFFICIENT_FUNDS" });
  });

  describe("a wallet that is not active", () => {
    test("frozen: gives nothing new, takes what comes, and what is under way ends", async () => {
      const [wallet, other] = [await books.createWallet(), await books.createWallet()];
      await books.fund(wallet, 100);
      await hold(wallet, 40);
      await setStatus(wallet, "frozen");
      await expect(books.move(wallet, other, 1)).rejects.toMatchObject({ code: "WALLET_NOT_ACTIVE" });
      expect(await books.fund(wallet, 5)).toMatchObject({ kind: "posted" });
      const settle = await books.post({
        kind: "payment",
        isUnderWay: true,
        entries: [
          { place: { kind: "wallet", walletId: wallet, part: "held" }, direction: "debit", amountMinor: 40 },
          { place: { kind: "clearing", currency: "EUR", part: "rail" }, direction: "credit", amountMinor: 40 },
        ],
      });
      expect(settle).toMatchObject({ kind: "posted" });
      expect(await balanceOf(wallet)).toEqual([65, 0, 0]);
    });

    test("closed: takes nothing that a caller asks for, and is frozen when a fact brings money", async () => {
      const wallet = await books.createWallet();
      await setStatus(wallet, "closed");
      expect(await books.fund(wallet, 5)).toMatchObject({ kind: "refused", code: "WALLET_NOT_ACTIVE" });
      await books.post({
        kind: "deposit",
        isUnderWay: true,
        entries: [
          { place: { kind: "clearing", currency: "EUR", part: "chain" }, direction: "debit", amountMinor: 5 },
          { place: { kind: "wallet", walletId: wallet, part: "pending" }, direction: "credit", amountMinor: 5 },
        ],
      });
      expect(await books.platform.ledger.wallets.get({ id: wallet, accountId: books.accountId })).toMatchObject({
        status: "frozen",
        pendingMinor: 5,
      });
    });
  });

  describe("what an operator adjusts", () => {
    const adjust = (walletId: string, direction: "credit" | "debit", amountMinor: number) =>
      books.platform.ledger.transactions.adjust({ walletId, direction, amountMinor, reason: "Counted" });
    test("comes to the wallet, or goes from it, to the greatest amount that there is and to nothing", async () => {
      const wallet = await books.createWallet();
      await adjust(wallet, "credit", greatest - 1);
      await adjust(wallet, "credit", 1);
      await expect(adjust(wallet, "credit", 1)).rejects.toMatchObject({ code: "BALANCE_LIMIT_REACHED" });
      await adjust(wallet, "debit", greatest - 1);
      await expect(adjust(wallet, "debit", 2)).rejects.toMatchObject({ code: "INSUFFICIENT_FUNDS" });
      await adjust(wallet, "debit", 1);
      await expect(adjust(wallet, "debit", 1)).rejects.toMatchObject({ code: "INSUFFICIENT_FUNDS" });
      expect(await balanceOf(wallet)).toEqual([0, 0, 0]);
      await books.check();
    });

    test("is not of what is held", async () => {
      const wallet = await books.createWallet();
      await adjust(wallet, "credit", 10);
      await hold(wallet, 4);
      await expect(adjust(wallet, "debit", 7)).rejects.toMatchObject({ code: "INSUFFICIENT_FUNDS" });
      await adjust(wallet, "debit", 6);
      expect(await balanceOf(wallet)).toEqual([0, 0, 4]);
    });

    test("is refused as a caller is: a frozen wallet takes and does not give, a closed one does neither", async () => {
      const [frozen, closed] = [await books.createWallet(), await books.createWallet()];
      await adjust(frozen, "credit", 1);
      await setStatus(frozen, "frozen");
      await setStatus(closed, "closed");
      await expect(adjust(frozen, "debit", 1)).rejects.toMatchObject({ code: "WALLET_NOT_ACTIVE" });
      await adjust(frozen, "credit", 1);
      expect(await balanceOf(frozen)).toEqual([2, 0, 0]);
      for (const direction of ["credit", "debit"] as const) {
        await expect(adjust(closed, direction, 1)).rejects.toMatchObject({ code: "WALLET_NOT_ACTIVE" });
      }
      expect(await adjust("wal_none", "credit", 1)).toBeNull();
      await books.check();
    });
  });

  test("an own account falls below nothing only where it may", async () => {
    const [may, mayNot] = [await books.createOwn(true), await books.createOwn(false)];
    const book = (from: string, to: string) =>
      books.platform.ledger.transactions.create({
        accountId: books.accountId,
        entries: [
          { ledgerAccountId: from, direction: "debit", amountMinor: 7 },
          { ledgerAccountId: to, direction: "credit", amountMinor: 7 },
        ],
        description: null,
        externalId: null,
        metadata: {},
      });
    await expect(book(mayNot, may)).rejects.toMatchObject({ code: "INSUFFICIENT_FUNDS" });
    expect(await book(may, mayNot)).toMatchObject({ entries: [{ balanceAfterMinor: -7 }, { balanceAfterMinor: 7 }] });
    await books.check();
  });

  test("entries that do not balance are a fault of the program, and nothing is booked", async () => {
    const [wallet, foreign] = [await books.createWallet(), await books.createWallet("BTC")];
    await books.fund(wallet, 100);
    const move = (to: string, amountMinor: number) =>
      books.post({
        entries: [
          { place: available(wallet), direction: "debit", amountMinor: 10 },
          { place: available(to), direction: "credit", amountMinor },
        ],
      });
    await expect(move(wallet, 11)).rejects.toThrow("credit 1 EUR more than they debit");
    await expect(move(foreign, 10)).rejects.toThrow("credit -10 EUR more");
    await expect(move("wal_01kjpx7nkpf1qb30s1qgt1r7tq", 10)).rejects.toThrow("The account has no wallet");
    await books.check();
  });
});

/** On a busy machine, some wait longer for a connection than the product permits. They have changed nothing then. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    if (isUnavailable(error)) {
      return patiently(work);
    }
    throw error;
  });
}
