import { divide, formatDecimal, parseDecimal } from "@gateway/kernel";
import type { SourcePrice } from "@gateway/ports";

export const priceDecimals = 8;
export const minimumSources = 3;
const oldestMs = 30_000;
const furthestBps = 200n;

export type RoundSource = { name: string; price: string; atMs: number; used: boolean };

export type DecidedPrice = { price: string; confidence: string; sources: RoundSource[] };

/**
 * The median of the prices of the last 30 s, without those more than 200 bps off the median of all of them. Null when
 * fewer than three are left. A source counts once, with its last price before that moment.
 */
export function decidePrice(said: readonly SourcePrice[], atMs: number): DecidedPrice | null {
  const known = latestOfEach(said.flatMap((one) => readSaid(one, atMs)));
  const fresh = known.filter((one) => atMs - one.atMs <= oldestMs);
  const twiceMiddle = twiceMedian(fresh.map(({ units }) => units));
  const used = fresh.filter(({ units }) => isNear(units, twiceMiddle));
  if (used.length < minimumSources) {
    return null;
  }
  const price = divide(twiceMedian(used.map(({ units }) => units)), 2n, "half-even");
  const confidence = used.map(({ units }) => distance(units, price)).reduce((most, one) => (one > most ? one : most));
  const sources = known.map((one) => ({ ...shown(one), used: used.includes(one) }));
  return { price: format(price), confidence: format(confidence), sources };
}

/**
 * Until when these prices can make a round: one older than 30 s cannot. Null: fewer than three sources reported one.
 */
export function goodUntilMs(said: readonly SourcePrice[], atMs: number): number | null {
  const latest = new Map<string, number>();
  for (const one of said.filter((each) => each.atMs <= atMs)) {
    latest.set(one.source, Math.max(one.atMs, latest.get(one.source) ?? 0));
  }
  const third = [...latest.values()].toSorted((one, other) => other - one)[minimumSources - 1];
  return third === undefined ? null : third + oldestMs;
}

/** Whether the second price differs from the first by `bps` hundredths of a percent of the first, or more. */
export function differsBy(bps: bigint, from: string, to: string): boolean {
  const first = parseDecimal(from, priceDecimals);
  return distance(parseDecimal(to, priceDecimals), first) * 10_000n >= bps * first;
}

/** `units` are 10^-8. */
type Said = { name: string; units: bigint; atMs: number };

/** A port may report more decimal places than we show. */
const form = /^\d{1,15}(?:\.\d{1,18})?$/;
const portDecimals = 18;
const toUnits = 10n ** BigInt(portDecimals - priceDecimals);
const longestName = 100;

function readSaid({ source, price, atMs: saidAtMs }: SourcePrice, atMs: number): Said[] {
  if (source === "" || source.length > longestName || !form.test(price) || !(saidAtMs <= atMs)) {
    return [];
  }
  const units = divide(parseDecimal(price, portDecimals), toUnits, "half-even");
  return units > 0n ? [{ name: source, units, atMs: saidAtMs }] : [];
}

function latestOfEach(said: readonly Said[]): Said[] {
  const newestFirst = said.toSorted((one, other) => other.atMs - one.atMs || (one.units < other.units ? 1 : -1));
  const byName = new Map<string, Said>();
  for (const one of newestFirst) {
    byName.set(one.name, byName.get(one.name) ?? one);
  }
  return [...byName.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function twiceMedian(units: readonly bigint[]): bigint {
  const sorted = units.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  const low = sorted[(sorted.length - 1) >> 1] ?? 0n;
  const high = sorted[sorted.length >> 1] ?? 0n;
  return low + high;
}

function isNear(units: bigint, twiceMiddle: bigint): boolean {
  return distance(2n * units, twiceMiddle) * 10_000n <= furthestBps * twiceMiddle;
}

function distance(one: bigint, other: bigint): bigint {
  return one > other ? one - other : other - one;
}

function shown({ name, units, atMs }: Said): Omit<RoundSource, "used"> {
  return { name, price: format(units), atMs };
}

function format(units: bigint): string {
  return formatDecimal(units, priceDecimals);
}
