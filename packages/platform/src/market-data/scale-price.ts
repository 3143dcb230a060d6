import { divide, formatDecimal, parseDecimal, type Rounding } from "@gateway/kernel";
import type { BookLevel, VenueBook } from "@gateway/ports";
import type { InstrumentTerms } from "./instrument.ts";
import type { Multiplier } from "./price-override.ts";

type Scaling = { terms: InstrumentTerms; multiplier: Multiplier | null; rounding?: Rounding };

/** Rounds to the next tick, and to at least one tick, because a price is never zero. */
export function scalePrice(price: string, { terms, multiplier, rounding = "half-even" }: Scaling): string {
  if (!multiplier) {
    return price;
  }
  const scaled = scaleUnits(price, { terms, multiplier, rounding });
  const tick = parseDecimal(terms.tickSize, terms.priceScale);
  return formatDecimal(scaled < tick ? tick : scaled, terms.priceScale);
}

/** Rounds bids down to a tick and asks up, so the best bid stays below the best ask. */
export function scaleBook({ bids, asks }: VenueBook, scaling: Omit<Scaling, "rounding">): VenueBook {
  return {
    bids: scaleLevels(bids, { ...scaling, rounding: "down" }),
    asks: scaleLevels(asks, { ...scaling, rounding: "up" }),
  };
}

function scaleLevels(
  levels: readonly BookLevel[],
  { terms, multiplier, rounding = "down" }: Scaling,
): readonly BookLevel[] {
  if (!multiplier) {
    return levels;
  }
  const scaled = new Map<bigint, number>();
  for (const { price, quantityMinor } of levels) {
    const units = scaleUnits(price, { terms, multiplier, rounding });
    scaled.set(units, (scaled.get(units) ?? 0) + quantityMinor);
  }
  return Array.from(scaled, ([units, quantityMinor]) => ({
    price: formatDecimal(units, terms.priceScale),
    quantityMinor,
  })).filter(({ price }) => parseDecimal(price, terms.priceScale) > 0n);
}

function scaleUnits(
  price: string,
  { terms, multiplier, rounding }: { terms: InstrumentTerms; multiplier: Multiplier; rounding: Rounding },
): bigint {
  const tick = parseDecimal(terms.tickSize, terms.priceScale);
  const units = parseDecimal(price, terms.priceScale);
  return divide(units * BigInt(multiplier.units), BigInt(multiplier.referenceUnits) * tick, rounding) * tick;
}
