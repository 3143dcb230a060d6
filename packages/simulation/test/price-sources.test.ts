import { instruments } from "@gateway/platform/market-data";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { courseOf } from "../src/price-course.ts";
import { barsWithin, bookAt, createSimulatedPriceSources, pricesAt, tradesUntil } from "../src/price-sources.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const symbols = instruments.map(({ symbol }) => symbol);
const anySymbol = fc.constantFrom(...symbols);
/** Some centuries before 1970 and after. */
const anyTime = fc.integer({ min: -1e13, max: 1e13 });

const unitsOf = (price: string): bigint => BigInt(price.replace(".", ""));

describe("at any time, of any instrument,", () => {
  test("what is asked twice is answered alike, by another simulation too", async () => {
    const ask = async (symbol: string, atMs: number) => {
      const sources = createSimulatedPriceSources();
      return [
        await sources.read({ symbol, atMs }),
        await sources.book({ symbol, atMs, depth: 10 }),
        await sources.bars({ symbol, timeframeMs: minute, startMs: atMs - 5 * minute, endMs: atMs }),
        await sources.trades({ symbol, atMs, limit: 5 }),
      ];
    };
    await fc.assert(
      fc.asyncProperty(anySymbol, anyTime, async (symbol, atMs) => {
        expect(await ask(symbol, atMs)).toEqual(await ask(symbol, atMs));
      }),
    );
  });

  test("prices have the places of their instrument, and are positive", () => {
    fc.assert(
      fc.property(anySymbol, anyTime, (symbol, atMs) => {
        const course = courseOf(symbol);
        const { bids, asks } = bookAt(course, { atMs, depth: 10 });
        const [bar] = barsWithin(course, { timeframeMs: minute, startMs: atMs, endMs: atMs + 2 * minute });
        const prices = [
          ...pricesAt(course, atMs).map(({ price }) => price),
          ...[...bids, ...asks].map(({ price }) => price),
          ...tradesUntil(course, { atMs, limit: 5 }).map(({ price }) => price),
          ...[bar?.open, bar?.high, bar?.low, bar?.close].map(String),
        ];
        for (const price of prices) {
          expect(price).toMatch(new RegExp(`^(?:0|[1-9]\\d*)\\.\\d{${course.terms.priceScale}}$`));
          expect(unitsOf(price)).toBeGreaterThan(0n);
        }
      }),
    );
  });

  test("five sources speak, within 1 percent of each other, none later than it is asked and none 10 seconds late", () => {
    fc.assert(
      fc.property(anySymbol, anyTime, (symbol, atMs) => {
        const said = pricesAt(courseOf(symbol), atMs);
        expect(new Set(said.map(({ source }) => source)).size).toBe(5);
        for (const one of said) {
          expect(one.atMs).toBeLessThanOrEqual(atMs);
          expect(one.atMs).toBeGreaterThan(atMs - 10_000);
          for (const other of said) {
            expect(unitsOf(one.price) * 100n).toBeLessThanOrEqual(unitsOf(other.price) * 101n);
          }
        }
      }),
    );
  });

  test("a book has ten levels a side, best first, and its best bid is below its best ask", () => {
    fc.assert(
      fc.property(anySymbol, anyTime, fc.integer({ min: 1, max: 50 }), (symbol, atMs, depth) => {
        const { bids, asks } = bookAt(courseOf(symbol), { atMs, depth });
        expect([bids.length, asks.length]).toEqual([Math.min(depth, 10), Math.min(depth, 10)]);
        const rising = [...bids.toReversed(), ...asks].map(({ price }) => unitsOf(price));
        for (const [index, price] of rising.slice(1).entries()) {
          expect(price).toBeGreaterThan(rising[index] ?? price);
        }
      }),
    );
  });

  test("trades are newest first, each at the best price of its time and in steps", () => {
    fc.assert(
      fc.property(anySymbol, anyTime, fc.integer({ min: 1, max: 30 }), (symbol, atMs, limit) => {
        const course = courseOf(symbol);
        const trades = tradesUntil(course, { atMs, limit });
        expect(trades).toHaveLength(limit);
        for (const [index, trade] of trades.entries()) {
          const { bids, asks } = bookAt(course, { atMs: trade.atMs, depth: 1 });
          expect(trade.atMs).toBeLessThanOrEqual(atMs);
          expect(trade.atMs).toBeLessThan(trades[index - 1]?.atMs ?? Infinity);
          expect(trade.price).toBe((trade.side === "buy" ? asks : bids)[0]?.price);
          expect(trade.quantityMinor % course.terms.quantityStep).toBe(0);
          expect(trade.quantityMinor).toBeGreaterThan(0);
        }
      }),
    );
  });

  test("fewer trades are the newest of more, and those until an earlier time are those that were there", () => {
    fc.assert(
      fc.property(anySymbol, anyTime, fc.integer({ min: 0, max: 300_000 }), (symbol, atMs, earlierMs) => {
        const course = courseOf(symbol);
        const many = tradesUntil(course, { atMs, limit: 40 });
        expect(tradesUntil(course, { atMs, limit: 7 })).toEqual(many.slice(0, 7));
        const earlier = many.filter((trade) => trade.atMs <= atMs - earlierMs).slice(0, 5);
        expect(tradesUntil(course, { atMs: atMs - earlierMs, limit: 5 })).toEqual(earlier);
      }),
    );
  });

  test("a bar of a minute is what its trades make", () => {
    fc.assert(
      fc.property(anySymbol, anyTime, (symbol, atMs) => {
        const course = courseOf(symbol);
        const [bar] = barsWithin(course, { timeframeMs: minute, startMs: atMs, endMs: atMs + 2 * minute });
        const startMs = bar?.startMs ?? 0;
        const trades = tradesUntil(course, { atMs: startMs + minute - 1, limit: 100 })
          .filter((trade) => trade.atMs >= startMs)
          .toReversed();
        const prices = trades.map(({ price }) => price).toSorted((a, b) => Number(unitsOf(a) - unitsOf(b)));
        expect(bar).toEqual({
          startMs,
          open: trades[0]?.price,
          close: trades.at(-1)?.price,
          low: prices[0],
          high: prices.at(-1),
          volumeMinor: trades.reduce((sum, { quantityMinor }) => sum + quantityMinor, 0),
        });
      }),
    );
  });

  test.each([
    ["an hour", hour, minute],
    ["a day", day, hour],
  ])("a bar of %s is what its finer bars make", (_, timeframeMs, finerMs) => {
    fc.assert(
      fc.property(anySymbol, anyTime, (symbol, atMs) => {
        const course = courseOf(symbol);
        const [bar] = barsWithin(course, { timeframeMs, startMs: atMs, endMs: atMs + 2 * timeframeMs });
        const startMs = bar?.startMs ?? 0;
        const finer = barsWithin(course, { timeframeMs: finerMs, startMs, endMs: startMs + timeframeMs });
        expect(finer).toHaveLength(timeframeMs / finerMs);
        const sorted = (prices: string[]) => prices.toSorted((a, b) => Number(unitsOf(a) - unitsOf(b)));
        expect(bar).toEqual({
          startMs,
          open: finer[0]?.open,
          close: finer.at(-1)?.close,
          low: sorted(finer.map(({ low }) => low))[0],
          high: sorted(finer.map(({ high }) => high)).at(-1),
          volumeMinor: finer.reduce((sum, { volumeMinor }) => sum + volumeMinor, 0),
        });
      }),
      { numRuns: 20 },
    );
  });
});

test("bars begin from the start on and end at the end at the latest, on whole minutes", () => {
  const course = courseOf("BTC-USD");
  const starts = (startMs: number, endMs: number) =>
    barsWithin(course, { timeframeMs: minute, startMs, endMs }).map((bar) => bar.startMs / minute);
  expect(starts(0, 3 * minute)).toEqual([0, 1, 2]);
  expect(starts(1, 3 * minute)).toEqual([1, 2]);
  expect(starts(0, 3 * minute - 1)).toEqual([0, 1]);
  expect(starts(1, minute)).toEqual([]);
  expect(starts(-90_000, 0)).toEqual([-1]);
});

test("many bars are made in turns, and are the same as made at once", async () => {
  const range = { timeframeMs: day, startMs: 0, endMs: 30 * day };
  let turns = 0;
  const count = setInterval(() => (turns += 1), 0);
  const bars = await createSimulatedPriceSources().bars({ symbol: "BTC-USD", ...range });
  clearInterval(count);
  expect(bars).toEqual(barsWithin(courseOf("BTC-USD"), range));
  expect(turns).toBeGreaterThan(1);
});

test("what was said of a day is said of it for ever: prices are pinned by who has read them", () => {
  const atMs = Date.UTC(2026, 2, 9, 12);
  expect(Object.fromEntries(symbols.map((symbol) => [symbol, pricesAt(courseOf(symbol), atMs)[0]?.price]))).toEqual({
    "BTC-USD": "68758.29",
    "ETH-USD": "2991.29",
    "USDC-USD": "0.9995",
    "EUR-USD": "1.07243",
    "GBP-USD": "1.26918",
    "USD-JPY": "148.560",
  });
});

test("of what is no instrument there is no course", () => {
  expect(() => courseOf("XRP-USD")).toThrow(RangeError);
});
