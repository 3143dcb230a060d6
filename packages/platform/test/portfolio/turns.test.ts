import type { Currency } from "@gateway/kernel";
import { describe, expect, test } from "vitest";
import type { SealedChange } from "../../src/ledger/index.ts";
import { countOn, dayMs, nextMidnightMs } from "../../src/portfolio/count-on.ts";
import { nextFollowing } from "../../src/portfolio/follow-ledger.ts";
import { newPortfolio, type Portfolio } from "../../src/portfolio/portfolio-row.ts";
import type { PriceReader } from "../../src/portfolio/prices.ts";
import { priceOfDollar, type Price } from "../../src/portfolio/value.ts";
import { changeOf } from "./movements.ts";

const startMs = Date.UTC(2026, 2, 9, 12);
const midnightMs = Date.UTC(2026, 2, 10);

/** Prices of all currencies, except those that have none. */
function pricesWithout(missing: readonly Currency[] = []): PriceReader {
  const at = async (currency: Currency): Promise<Price | null> =>
    missing.includes(currency)
      ? null
      : currency === "USD"
        ? priceOfDollar
        : { unitPrice: "2.00000000", roundId: 7, isStale: false };
  return {
    at,
    allAt: async (_atMs, of) => {
      const prices = new Map(await Promise.all(of.map(async (one) => [one, await at(one)] as const)));
      return (currency) => prices.get(currency) ?? null;
    },
  };
}

const deposit = (sequence: number, atMs: number, currency: Currency = "USD"): SealedChange => ({
  sequence,
  id: `ltx_${sequence}`,
  createdAt: new Date(atMs),
  changes: [changeOf(currency, { owned: 100 })],
});

let made = 0;
const count = (before: Portfolio, changes: SealedChange[], untilMs: number | null, prices = pricesWithout()) =>
  countOn(before, { changes, untilMs, prices, createId: () => `val_${(made += 1)}` });

describe("a day ends before the first that was booked after its 00:00", () => {
  test.each([
    ["a millisecond before it", midnightMs - 1, []],
    ["at it", midnightMs, []],
    ["a millisecond after it", midnightMs + 1, [{ atMs: midnightMs, ledgerSequence: 1, equity: 100n }]],
  ])("booked %s", async (_when, atMs, expected) => {
    const { valuations } = await count(newPortfolio, [deposit(1, startMs), deposit(2, atMs)], null);
    expect(valuations).toMatchObject(expected);
    expect(valuations).toHaveLength(expected.length);
  });

  test("a quiet one ends when it is over, and not before", async () => {
    const early = await count(newPortfolio, [deposit(1, startMs)], midnightMs - 1);
    expect(early.valuations).toEqual([]);
    const { valuations, after } = await count(early.after, [], midnightMs);
    expect(valuations).toMatchObject([{ atMs: midnightMs, ledgerSequence: 1, previousId: null, profit: 0n }]);
    expect(after.nextDailyMs).toBe(midnightMs + dayMs);
  });

  test("before the first ledger transaction there are no days", async () => {
    expect(await count(newPortfolio, [], midnightMs + 10 * dayMs)).toMatchObject({ valuations: [], isCut: false });
  });

  test("a thousand of them are valued in some turns, one after the other", async () => {
    let portfolio = (await count(newPortfolio, [deposit(1, startMs)], null)).after;
    const ids: (string | null)[] = [];
    let turns = 0;
    for (let isCut = true; isCut; turns += 1) {
      const counted = await count(portfolio, [], midnightMs + 999 * dayMs);
      expect(counted.valuations.map(({ previousId }) => previousId)).toEqual([
        portfolio.valued.id,
        ...counted.valuations.slice(0, -1).map(({ id }) => id),
      ]);
      ids.push(...counted.valuations.map(({ id }) => id));
      ({ after: portfolio, isCut } = counted);
    }
    expect(new Set(ids).size).toBe(1000);
    expect(turns).toBe(20);
  });

  test("one of which something has no price has no valuation, and its profit is in the next", async () => {
    const began = await count(newPortfolio, [deposit(1, startMs, "EUR")], null);
    const without = await count(began.after, [], midnightMs, pricesWithout(["EUR"]));
    expect(without.valuations).toEqual([]);
    expect(without.after.nextDailyMs).toBe(midnightMs + dayMs);
    const { valuations } = await count(without.after, [], midnightMs + dayMs);
    expect(valuations).toMatchObject([{ atMs: midnightMs + dayMs, previousId: null, equity: 200n, netFlow: 200n }]);
  });
});

test("the work of 00:00 is done then in the sandbox, and within the hour after it in production, each account at its own time", () => {
  const accounts = Array.from({ length: 500 }, (_, index) => `acc_01kk97${String(index * 7919).padStart(20, "0")}`);
  const times = (livemode: boolean): number[] =>
    accounts.map((accountId) => nextFollowing({ livemode, accountId, afterMs: startMs }).getTime());
  expect(new Set(times(false))).toEqual(new Set([midnightMs]));
  const spread = times(true);
  expect(Math.min(...spread)).toBeGreaterThanOrEqual(midnightMs);
  expect(Math.max(...spread)).toBeLessThan(midnightMs + 3_600_000);
  expect(new Set(spread).size).toBeGreaterThan(400);
  expect(nextMidnightMs(midnightMs)).toBe(midnightMs + dayMs);
});
