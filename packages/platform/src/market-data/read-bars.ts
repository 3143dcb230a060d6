import { parseDecimal } from "@gateway/kernel";
import type { MarketTrade, PriceBar, PriceSources } from "@gateway/ports";
import { readTrades } from "./market-trade.ts";
import { scalePrice } from "./scale-price.ts";
import { requireTerms, type Stretch } from "./view.ts";

const minuteMs = 60_000;

export const timeframesMs = { "1m": minuteMs, "1h": 60 * minuteMs, "1d": 24 * 60 * minuteMs } as const;

export type Timeframe = keyof typeof timeframesMs;

/** The timeframe of the parts of a bar in which prices were changed. */
const finerThan = { "1d": "1h", "1h": "1m" } as const;

type Asked = { symbol: string; timeframe: Timeframe; stretches: readonly Stretch[] };

/** Oldest first. When a stretch ends within a bar, that bar is put together from finer ones, down to trades. */
export async function readBars(sources: PriceSources, { symbol, timeframe, stretches }: Asked): Promise<PriceBar[]> {
  const timeframeMs = timeframesMs[timeframe];
  const bars: PriceBar[] = [];
  for (const run of runsOf(stretches, timeframeMs)) {
    const [only, ...others] = run;
    if (only && others.length === 0) {
      bars.push(...(await readStretch(sources, { symbol, timeframe, stretch: only })));
    } else {
      const startMs = run[0]?.startMs ?? 0;
      const parts =
        timeframe === "1m"
          ? (await readMinute(sources, { symbol, stretches: run })).map(barOfTrade)
          : await readBars(sources, { symbol, timeframe: finerThan[timeframe], stretches: run });
      bars.push(...joinBars(parts, { symbol, startMs }));
    }
  }
  return bars;
}

async function readStretch(
  sources: PriceSources,
  { symbol, timeframe, stretch }: { symbol: string; timeframe: Timeframe; stretch: Stretch },
): Promise<PriceBar[]> {
  const { startMs, endMs, multiplier, isSilent } = stretch;
  const timeframeMs = timeframesMs[timeframe];
  const bars = isSilent ? [] : await sources.bars({ symbol, timeframeMs, startMs, endMs });
  const scaling = { terms: requireTerms(symbol), multiplier };
  return bars.map((bar) => ({
    ...bar,
    open: scalePrice(bar.open, scaling),
    high: scalePrice(bar.high, scaling),
    low: scalePrice(bar.low, scaling),
    close: scalePrice(bar.close, scaling),
  }));
}

/** Whole bars of one stretch each, and bars that several stretches share, in the order of time. */
export function runsOf(stretches: readonly Stretch[], timeframeMs: number): Stretch[][] {
  const runs: Stretch[][] = [];
  let open: Stretch[] = [];
  for (const stretch of stretches) {
    let { startMs } = stretch;
    if (open.length > 0) {
      const barEndMs = ceil(startMs, timeframeMs);
      const endMs = Math.min(stretch.endMs, barEndMs);
      if (endMs > startMs) {
        open.push({ ...stretch, startMs, endMs });
      }
      if (stretch.endMs < barEndMs) {
        continue;
      }
      runs.push(open);
      open = [];
      startMs = barEndMs;
    }
    const wholeEndMs = Math.floor(stretch.endMs / timeframeMs) * timeframeMs;
    if (wholeEndMs > startMs) {
      runs.push([{ ...stretch, startMs, endMs: wholeEndMs }]);
    }
    const restMs = Math.max(startMs, wholeEndMs);
    if (stretch.endMs > restMs) {
      open.push({ ...stretch, startMs: restMs });
    }
  }
  return runs;
}

function ceil(timeMs: number, timeframeMs: number): number {
  return Math.ceil(timeMs / timeframeMs) * timeframeMs;
}

/** All trades, oldest first: the limit grows until they fit. */
async function readMinute(
  sources: PriceSources,
  { symbol, stretches }: { symbol: string; stretches: readonly Stretch[] },
): Promise<MarketTrade[]> {
  for (let limit = 16; ; limit *= 4) {
    const trades = await readTrades(sources, { symbol, stretches, limit });
    if (trades.length < limit) {
      return trades.toReversed();
    }
  }
}

function barOfTrade({ price, quantityMinor, atMs }: MarketTrade): PriceBar {
  return { startMs: atMs, open: price, high: price, low: price, close: price, volumeMinor: quantityMinor };
}

function joinBars(parts: readonly PriceBar[], { symbol, startMs }: { symbol: string; startMs: number }): PriceBar[] {
  const [first] = parts;
  if (!first) {
    return [];
  }
  const { priceScale } = requireTerms(symbol);
  const units = (price: string): bigint => parseDecimal(price, priceScale);
  return [
    parts.slice(1).reduce(
      (whole, { high, low, close, volumeMinor }) => ({
        ...whole,
        high: units(high) > units(whole.high) ? high : whole.high,
        low: units(low) < units(whole.low) ? low : whole.low,
        close,
        volumeMinor: whole.volumeMinor + volumeMinor,
      }),
      { ...first, startMs },
    ),
  ];
}
