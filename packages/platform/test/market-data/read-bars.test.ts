import { parseDecimal } from "@gateway/kernel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MarketTrade, PriceBar, PriceSources } from "@gateway/ports";
import { readTrades } from "../../src/market-data/market-trade.ts";
import { readBars, runsOf, timeframesMs, type Timeframe } from "../../src/market-data/read-bars.ts";
import { scalePrice } from "../../src/market-data/scale-price.ts";
import { requireTerms, type Stretch } from "../../src/market-data/view.ts";

const symbol = "BTC-USD";
const terms = requireTerms(symbol);
const hour = timeframesMs["1h"];

/** Sources with these trades, from which bars are made as a source would. */
function sourcesOf(trades: readonly MarketTrade[]): PriceSources {
  return {
    read: async () => [],
    book: async () => ({ bids: [], asks: [] }),
    trades: async ({ atMs, limit }) =>
      trades
        .filter((trade) => trade.atMs <= atMs)
        .toReversed()
        .slice(0, limit),
    bars: async ({ timeframeMs, startMs, endMs }) => barsOf(trades, { timeframeMs, startMs, endMs }),
  };
}

function barsOf(
  trades: readonly MarketTrade[],
  { timeframeMs, startMs, endMs }: { timeframeMs: number; startMs: number; endMs: number },
): PriceBar[] {
  const within = trades.filter(({ atMs }) => atMs >= startMs && atMs < endMs);
  return Array.from(
    Map.groupBy(within, ({ atMs }) => Math.floor(atMs / timeframeMs) * timeframeMs),
    ([start, all]) => {
      const prices = all.map(({ price }) => price).toSorted((a, b) => Number(parseDecimal(a, 2) - parseDecimal(b, 2)));
      return {
        startMs: start,
        open: all[0]?.price ?? "",
        high: prices.at(-1) ?? "",
        low: prices[0] ?? "",
        close: all.at(-1)?.price ?? "",
        volumeMinor: all.reduce((sum, { quantityMinor }) => sum + quantityMinor, 0),
      };
    },
  );
}

/** Three hours, cut at some times. Each stretch has a multiplier of its own or is silent. */
const anyStretches = fc
  .uniqueArray(
    fc.oneof(
      fc.integer({ min: 1, max: 3 * hour - 1 }),
      fc.integer({ min: 1, max: 179 }).map((minute) => minute * 60_000),
    ),
    { maxLength: 8 },
  )
  .chain((cuts) => {
    const bounds = [0, ...cuts.toSorted((a, b) => a - b), 3 * hour];
    return fc.tuple(
      ...bounds.slice(1).map((endMs, index) =>
        fc.record<Stretch>({
          startMs: fc.constant(bounds[index] ?? 0),
          endMs: fc.constant(endMs),
          multiplier: fc.option(
            fc.record({ units: fc.integer({ min: 1, max: 1000 }), referenceUnits: fc.integer({ min: 1, max: 1000 }) }),
          ),
          isSilent: fc.boolean(),
        }),
      ),
    );
  });

const anyTrades = fc.uniqueArray(fc.integer({ min: -hour, max: 3 * hour - 1 }), { maxLength: 200 }).chain((times) =>
  fc.tuple(
    ...times
      .toSorted((a, b) => a - b)
      .map((atMs) =>
        fc.record<MarketTrade>({
          atMs: fc.constant(atMs),
          price: fc
            .integer({ min: 1_000, max: 9_999_999 })
            .map((units) => `${Math.floor(units / 100)}.${String(units % 100).padStart(2, "0")}`),
          quantityMinor: fc.integer({ min: 1, max: 1_000_000 }),
          side: fc.constantFrom("buy", "sell"),
        }),
      ),
  ),
);

/** The trades that the account sees. */
function shown(trades: readonly MarketTrade[], stretches: readonly Stretch[]): MarketTrade[] {
  return trades.flatMap((trade) => {
    const stretch = stretches.find(({ startMs, endMs }) => trade.atMs >= startMs && trade.atMs < endMs);
    return stretch && !stretch.isSilent
      ? [{ ...trade, price: scalePrice(trade.price, { terms, multiplier: stretch.multiplier }) }]
      : [];
  });
}

describe("whatever was changed, and when,", () => {
  test.each(["1m", "1h"] satisfies Timeframe[])(
    "bars of %s have exactly what the account's trades have",
    async (timeframe) => {
      await fc.assert(
        fc.asyncProperty(anyTrades, anyStretches, async (trades, stretches) => {
          const bars = await readBars(sourcesOf(trades), { symbol, timeframe, stretches });
          const range = { timeframeMs: timeframesMs[timeframe], startMs: 0, endMs: 3 * hour };
          expect(bars).toEqual(barsOf(shown(trades, stretches), range));
        }),
        { numRuns: 150 },
      );
    },
  );

  test("trades are newest first, as many as are asked for, none of a silent time", async () => {
    await fc.assert(
      fc.asyncProperty(anyTrades, anyStretches, fc.integer({ min: 1, max: 50 }), async (trades, stretches, limit) => {
        const found = await readTrades(sourcesOf(trades), { symbol, stretches, limit });
        expect(found).toEqual(shown(trades, stretches).toReversed().slice(0, limit));
      }),
    );
  });

  test("a time is cut into whole bars and bars in parts, and nothing of it is lost", () => {
    fc.assert(
      fc.property(anyStretches, (stretches) => {
        const runs = runsOf(stretches, hour);
        expect(runs.flat().reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)).toBe(3 * hour);
        for (const run of runs) {
          const [startMs = 0, endMs = 0] = [run[0]?.startMs, run.at(-1)?.endMs];
          expect([startMs % hour, endMs % hour]).toEqual([0, 0]);
          expect(run.length === 1 || endMs - startMs === hour).toBe(true);
        }
      }),
    );
  });
});
