import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decidePrice, goodUntilMs, type DecidedPrice } from "../../src/oracle/decide-price.ts";
import { findInForce, findRound, walkMinutes, type RoundView } from "../../src/oracle/find-rounds.ts";
import type { PriceRound } from "../../src/oracle/price-round.ts";
import { isStale, publishRounds, roundIdAt, timeOfRound } from "../../src/oracle/publish-rounds.ts";
import type { SourcePrice } from "@gateway/ports";

const decided = (price: string): DecidedPrice => ({ price, confidence: "0", sources: [] });
const pinnedRound = (roundId: number, price: string): PriceRound => ({
  ...{ symbol: "BTC-USD", roundId, ...decided(price) },
  ...{ publishedAtMs: timeOfRound(roundId), signature: "signed" },
});

/** The rounds of one minute, by their price. */
function publishedOf(...prices: (string | null)[]): number[] {
  const candidates = prices.map((price, roundId) => ({ roundId, decided: price === null ? null : decided(price) }));
  return publishRounds<PriceRound>(candidates).map(({ roundId }) => roundId);
}

describe("published in a minute", () => {
  test.each([
    ["the first alone, when nothing moves", ["100", "100", "100", "100", "100", "100"], [0]],
    ["what is 50 bps from the one before", ["100", "100.5", "100.5", "100.5", "100", "100"], [0, 1]],
    ["not what is less", ["100", "100.49999999", "99.50000001", "100", "100", "100"], [0]],
    [
      "what creeps there, from the last that was published",
      ["100", "100.3", "100.6", "100.9", "101.2", "101.2"],
      [0, 2, 4],
    ],
    ["the first that has a price", [null, null, "100", "100.4", null, "101"], [2, 5]],
    ["none without a price", [null, null, null, null, null, null], []],
  ] as const)("%s", (_name, prices, expected) => {
    expect(publishedOf(...prices)).toEqual(expected);
  });

  test("what is pinned, whatever the sources say by now", () => {
    const candidates = [
      { roundId: 0, decided: decided("100") },
      { roundId: 1, pinned: pinnedRound(1, "100.1") },
      { roundId: 2, decided: decided("100.5") },
      { roundId: 3, decided: decided("100.7") },
    ];
    expect(publishRounds(candidates).map(({ roundId }) => roundId)).toEqual([0, 1, 3]);
  });

  test("stays published as time goes on", () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.constantFrom("100", "100.4", "100.5", "101")), { maxLength: 6 }), (prices) => {
        const all = publishedOf(...prices);
        const until = prices.map((_price, index) => publishedOf(...prices.slice(0, index)));
        expect(until.every((some) => some.every((roundId, index) => all[index] === roundId))).toBe(true);
      }),
    );
  });
});

test("stale over 120 s", () => {
  expect(isStale(0, 120_000)).toBe(false);
  expect(isStale(0, 120_001)).toBe(true);
});

/** A view whose sources report `pricesAt` of each second, and the number of reads. */
function viewOf(
  read: (atMs: number) => SourcePrice[],
  pinned: readonly PriceRound[] = [],
): RoundView & { reads: number } {
  const view = {
    reads: 0,
    read: async (roundId: number) => {
      view.reads += 1;
      const atMs = timeOfRound(roundId);
      const said = read(atMs);
      return { decided: decidePrice(said, atMs), goodUntilMs: goodUntilMs(said, atMs) };
    },
    findPinned: async (from: number, to: number) => pinned.filter(({ roundId }) => roundId >= from && roundId <= to),
  };
  return view;
}

const fiveAt = (price: (atMs: number) => number) => (atMs: number) =>
  ["a", "b", "c", "d", "e"].map((source) => ({ source, price: price(atMs).toFixed(8), atMs }));
const wave = fiveAt((atMs) => 100 + 2 * Math.sin(atMs / 37_000));
const startMs = 1_773_057_600_000;

async function listUntil(view: RoundView, atMs: number, most: number): Promise<number[]> {
  const found: number[] = [];
  for await (const { published } of walkMinutes(view, { last: roundIdAt(atMs) })) {
    found.push(...published.map(({ roundId }) => roundId).toReversed());
    if (found.length >= most) {
      break;
    }
  }
  return found.slice(0, most);
}

test("what is in force at any time is the newest that the list of then has, and each of these is found by its number", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 3_600_000 }), async (laterMs) => {
      const view = viewOf(wave);
      const [newest] = await listUntil(view, startMs + laterMs, 1);
      expect((await findInForce(view, startMs + laterMs))?.roundId).toBe(newest);
      expect((await findRound(view, newest ?? 0))?.roundId).toBe(newest);
    }),
    { numRuns: 50 },
  );
});

test("from wherever one begins, the list of an hour is the same", async () => {
  const all = await listUntil(viewOf(wave), startMs, 150);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 1_200_000 }), async (soonerMs) => {
      const some = await listUntil(viewOf(wave), startMs - soonerMs, 20);
      expect(some).toEqual(all.filter((roundId) => timeOfRound(roundId) <= startMs - soonerMs).slice(0, 20));
    }),
    { numRuns: 30 },
  );
});

test("at most six readings where there is a price, and none where the round is pinned", async () => {
  const view = viewOf(wave);
  await findInForce(view, startMs + 59_999);
  expect(view.reads).toBe(6);
  const last = roundIdAt(startMs + 59_999);
  const pinned = viewOf(wave, [pinnedRound(last, "7")]);
  expect(await findInForce(pinned, startMs + 59_999)).toMatchObject({ price: "7" });
  expect(pinned.reads).toBe(0);
});

test("sources that fell silent long ago: the last price before, after few readings", async () => {
  const silentMs = startMs - 400 * 86_400_000;
  const view = viewOf((atMs) => wave(Math.min(atMs, silentMs)));
  const found = await findInForce(view, startMs);
  expect(found && timeOfRound(found.roundId)).toBeLessThanOrEqual(silentMs + 30_000);
  expect(found && timeOfRound(found.roundId)).toBeGreaterThan(silentMs - 60_000);
  expect(view.reads).toBeLessThanOrEqual(12);
});

test("two sources alone: none, after few readings", async () => {
  const view = viewOf((atMs) => wave(atMs).slice(0, 2));
  expect(await findInForce(view, startMs)).toBeNull();
  expect(await listUntil(view, startMs, 10)).toEqual([]);
  expect(view.reads).toBeLessThanOrEqual(60);
});
