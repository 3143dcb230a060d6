import { divide, formatDecimal, type Rounding } from "@gateway/kernel";
import { termsOf, type InstrumentTerms } from "@gateway/platform/market-data";
import { scramble, seedOf, type Wave } from "./waves.ts";

/**
 * The course of an instrument's price: a base price and the waves that move it. It is not stored.
 */
export type Course = {
  terms: InstrumentTerms;
  /** The base price, in units of its last place. */
  baseUnits: bigint;
  waves: readonly Wave[];
  /** The maximum deviation of a source from the course, in billionths. */
  noisePpb: number;
  seed: number;
};

type Character = { baseUnits: bigint; swingPercent: number; noisePpb: number };

/** 100 percent is the swing of Bitcoin. */
const characters: Readonly<Record<string, Character>> = {
  "BTC-USD": { baseUnits: 6_400_000n, swingPercent: 100, noisePpb: 800_000 },
  "ETH-USD": { baseUnits: 310_000n, swingPercent: 120, noisePpb: 800_000 },
  "USDC-USD": { baseUnits: 10_000n, swingPercent: 1, noisePpb: 100_000 },
  "EUR-USD": { baseUnits: 108_000n, swingPercent: 10, noisePpb: 100_000 },
  "GBP-USD": { baseUnits: 127_000n, swingPercent: 12, noisePpb: 100_000 },
  "USD-JPY": { baseUnits: 150_000n, swingPercent: 15, noisePpb: 100_000 },
};

/**
 * Seasons, weeks, days, hours and minutes, of odd lengths, so that no two days are the same. Heights are for a swing of
 * one percent.
 */
const waveForms = [
  { periodSeconds: 7_862_413, heightPpb: 800_000 },
  { periodSeconds: 611_953, heightPpb: 250_000 },
  { periodSeconds: 91_193, heightPpb: 100_000 },
  { periodSeconds: 3_539, heightPpb: 15_000 },
  { periodSeconds: 97, heightPpb: 2_000 },
];

/** Throws when the symbol is not an instrument. */
export function courseOf(symbol: string): Course {
  const terms = termsOf(symbol);
  const { [symbol]: character } = characters;
  if (!terms || !character) {
    throw new RangeError(`No course is known of ${symbol}.`);
  }
  const seed = seedOf(symbol);
  const waves = waveForms.map(({ periodSeconds, heightPpb }, index) => ({
    periodSeconds,
    heightPpb: heightPpb * character.swingPercent,
    phase: scramble(seed, index) % periodSeconds,
  }));
  return { terms, seed, waves, ...character };
}

const onePpb = 1_000_000_000n;

/** The price at this swing, times `of / in`, in units. */
export function unitsAt(
  { baseUnits }: Course,
  swingPpb: number,
  share: { of: number; in: number; rounding: Rounding },
): bigint {
  return divide(baseUnits * (onePpb + BigInt(swingPpb)) * BigInt(share.of), onePpb * BigInt(share.in), share.rounding);
}

export function priceText({ terms }: Course, units: bigint): string {
  return formatDecimal(units, terms.priceScale);
}
