import type { MarketTrade, PriceBar, PriceSources, SourcePrice, VenueBook } from "@gateway/ports";
import { setImmediate } from "node:timers/promises";
import { courseOf, priceText, unitsAt, type Course } from "./price-course.ts";
import { scramble, spanOf, swingAt } from "./waves.ts";

/** The number of levels on each side. */
const bookLevels = 10;
/** One trade in each slot, at a second of its own: a few a minute give a bar its shape. */
const slotSeconds = 20;
const slotMs = slotSeconds * 1000;
const slotsInTurn = 20_000;

/** The sources and the interval of their prices: the slower ones lag behind. */
const sources = [
  { source: "alder", everySeconds: 1 },
  { source: "birch", everySeconds: 2 },
  { source: "cedar", everySeconds: 3 },
  { source: "elm", everySeconds: 5 },
  { source: "fir", everySeconds: 8 },
];

/**
 * Keeps no state and has data for every time, because all of it follows from the symbol and the time, on a grid of
 * seconds.
 */
export function createSimulatedPriceSources(): PriceSources {
  return {
    read: async ({ symbol, atMs }) => pricesAt(courseOf(symbol), atMs),
    book: async ({ symbol, atMs, depth }) => bookAt(courseOf(symbol), { atMs, depth }),
    bars: ({ symbol, ...range }) => barsInTurns(courseOf(symbol), range),
    trades: async ({ symbol, ...range }) => tradesUntil(courseOf(symbol), range),
  };
}

export function pricesAt(course: Course, atMs: number): SourcePrice[] {
  return sources.map(({ source, everySeconds }, index) => {
    const second = spanOf(atMs, everySeconds * 1000) * everySeconds;
    const phase = scramble(course.seed, 100 + index) % 600;
    const noisePpb = swingAt([{ periodSeconds: 607 + 61 * index, phase, heightPpb: course.noisePpb }], second);
    const share = { of: 1_000_000_000 + noisePpb, in: 1_000_000_000, rounding: "half-even" } as const;
    const units = unitsAt(course, swingAt(course.waves, second), share);
    return { source, price: priceText(course, units), atMs: second * 1000 };
  });
}

export function bookAt(course: Course, { atMs, depth }: { atMs: number; depth: number }): VenueBook {
  const swing = swingAt(course.waves, spanOf(atMs, 1000));
  const quantityMinor = Number(BigInt(course.terms.maximumQuantity) / 100n);
  const levels = Array.from({ length: Math.min(depth, bookLevels) }, (_, level) => level);
  const levelsOf = (side: Side) =>
    levels.map((level) => ({ price: priceText(course, bookUnits(course, { side, swing, level })), quantityMinor }));
  return { bids: levelsOf("sell"), asks: levelsOf("buy") };
}

type BarRange = { timeframeMs: number; startMs: number; endMs: number };

/**
 * Computes bars in turns: a day of trades takes a millisecond, and other work of the process runs after a few days.
 */
async function barsInTurns(course: Course, { timeframeMs, startMs, endMs }: BarRange): Promise<PriceBar[]> {
  const turnMs = Math.max(1, spanOf(slotsInTurn * slotMs, timeframeMs)) * timeframeMs;
  const bars: PriceBar[] = [];
  for (let fromMs = -spanOf(-startMs, timeframeMs) * timeframeMs; fromMs < endMs; fromMs += turnMs) {
    bars.push(...barsWithin(course, { timeframeMs, startMs: fromMs, endMs: Math.min(endMs, fromMs + turnMs) }));
    await setImmediate();
  }
  return bars;
}

/** A timeframe is a whole number of slots. */
export function barsWithin(course: Course, { timeframeMs, startMs, endMs }: BarRange): PriceBar[] {
  const first = -spanOf(-startMs, timeframeMs);
  const count = Math.max(0, spanOf(endMs, timeframeMs) - first);
  return Array.from({ length: count }, (_, index) => barFrom(course, (first + index) * timeframeMs, timeframeMs));
}

/** A day has thousands of trades. Their swings are compared, and only the extremes become prices. */
function barFrom(course: Course, startMs: number, timeframeMs: number): PriceBar {
  const firstSlot = spanOf(startMs, slotMs);
  const lastSlot = spanOf(startMs + timeframeMs, slotMs) - 1;
  const highest = { buy: -Infinity, sell: -Infinity };
  const lowest = { buy: Infinity, sell: Infinity };
  let volumeMinor = 0;
  for (let slot = firstSlot; slot <= lastSlot; slot += 1) {
    const side = sideOf(course, slot);
    const swing = swingAt(course.waves, secondOf(course, slot));
    highest[side] = Math.max(highest[side], swing);
    lowest[side] = Math.min(lowest[side], swing);
    volumeMinor += quantityOf(course, slot);
  }
  const extremes = (["buy", "sell"] as const).flatMap((side) =>
    [highest[side], lowest[side]]
      .filter((swing) => Number.isFinite(swing))
      .map((swing) => bookUnits(course, { side, swing, level: 0 })),
  );
  const [high, low] = extremes.reduce(
    ([most, least], units) => [units > most ? units : most, units < least ? units : least],
    [0n, extremes[0] ?? 0n],
  );
  const text = (units: bigint) => priceText(course, units);
  const [open, close] = [unitsOfTrade(course, firstSlot), unitsOfTrade(course, lastSlot)];
  return { startMs, open: text(open), high: text(high), low: text(low), close: text(close), volumeMinor };
}

export function tradesUntil(course: Course, { atMs, limit }: { atMs: number; limit: number }): MarketTrade[] {
  const slot = spanOf(atMs, slotMs);
  const last = timeOf(course, slot) <= atMs ? slot : slot - 1;
  return Array.from({ length: limit }, (_, index) => tradeIn(course, last - index));
}

function tradeIn(course: Course, slot: number): MarketTrade {
  return {
    price: priceText(course, unitsOfTrade(course, slot)),
    quantityMinor: quantityOf(course, slot),
    side: sideOf(course, slot),
    atMs: timeOf(course, slot),
  };
}

type Side = MarketTrade["side"];

/** A buyer pays the best ask at that time. */
function unitsOfTrade(course: Course, slot: number): bigint {
  return bookUnits(course, {
    side: sideOf(course, slot),
    swing: swingAt(course.waves, secondOf(course, slot)),
    level: 0,
  });
}

/**
 * The price for a buyer or a seller at a level of the book. Levels are 5 basis points apart, and so are the best two.
 */
function bookUnits(course: Course, { side, swing, level }: { side: Side; swing: number; level: number }): bigint {
  const away = 5 + 10 * level;
  return side === "buy"
    ? unitsAt(course, swing, { of: 20_000 + away, in: 20_000, rounding: "up" })
    : unitsAt(course, swing, { of: 20_000 - away, in: 20_000, rounding: "down" });
}

function secondOf({ seed }: Course, slot: number): number {
  return slot * slotSeconds + (scramble(seed, slot) % slotSeconds);
}

function timeOf(course: Course, slot: number): number {
  return secondOf(course, slot) * 1000 + (scramble(course.seed ^ 3, slot) % 1000);
}

function sideOf({ seed }: Course, slot: number): Side {
  return scramble(seed ^ 1, slot) % 2 === 0 ? "buy" : "sell";
}

/** At most a thousandth of the maximum quantity of an order, in steps. */
function quantityOf({ seed, terms }: Course, slot: number): number {
  return terms.quantityStep * (1 + (scramble(seed ^ 2, slot) % mostSteps(terms)));
}

function mostSteps({ maximumQuantity, quantityStep }: Course["terms"]): number {
  return spanOf(maximumQuantity, 1000 * quantityStep);
}
