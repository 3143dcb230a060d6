import { decimalPlaces, divide, parseDecimal } from "@gateway/kernel";
import type { InstrumentTerms } from "@gateway/platform/market-data";
import type { BookLevel, VenueBook, VenueOrder } from "@gateway/ports";

/** The part of an order that a book fills at once. */
export type Taken = {
  fills: readonly BookLevel[];
  filledMinor: number;
  /** Whether the order is completely filled. */
  isFull: boolean;
};

const nothing: Taken = { fills: [], filledMinor: 0, isFull: false };

/**
 * Fills the best price first, within the order's limit, quantity and spending, in whole steps. A fill-or-kill order
 * is filled completely or not at all.
 */
export function takeOf(order: VenueOrder, book: VenueBook, terms: InstrumentTerms): Taken {
  const fills: BookLevel[] = [];
  const rest = restOf(order, terms);
  for (const { price, quantityMinor } of order.side === "buy" ? book.asks : book.bids) {
    if (!isWithinLimit(order, price, terms)) {
      break;
    }
    const taken = rest.take(price, quantityMinor);
    if (taken === 0) {
      break;
    }
    fills.push({ price, quantityMinor: taken });
  }
  const isFull = rest.isDone();
  if (order.timeInForce === "fok" && !isFull) {
    return nothing;
  }
  return { fills, filledMinor: fills.reduce((sum, { quantityMinor }) => sum + quantityMinor, 0), isFull };
}

export function isWithinLimit(
  { side, limitPrice }: Pick<VenueOrder, "side" | "limitPrice">,
  price: string,
  { priceScale }: InstrumentTerms,
): boolean {
  if (limitPrice === null) {
    return true;
  }
  const [offered, limit] = [parseDecimal(price, priceScale), parseDecimal(limitPrice, priceScale)];
  return side === "buy" ? offered <= limit : offered >= limit;
}

type Rest = { take(price: string, atMostMinor: number): number; isDone(): boolean };

function restOf({ quantityMinor, spendMinor }: VenueOrder, terms: InstrumentTerms): Rest {
  return quantityMinor === null ? restToSpend(spendMinor ?? 0, terms) : restToFill(quantityMinor);
}

function restToFill(quantityMinor: number): Rest {
  let rest = quantityMinor;
  return {
    take: (_price, atMostMinor) => {
      const taken = Math.min(rest, atMostMinor);
      rest -= taken;
      return taken;
    },
    isDone: () => rest === 0,
  };
}

/** The order is done when the rest does not buy another step. */
function restToSpend(spendMinor: number, { base, quote, priceScale, quantityStep }: InstrumentTerms): Rest {
  // The product of a quantity and a price, in their smallest units.
  const unitsOfMinor = 10n ** BigInt(decimalPlaces[base] + priceScale);
  const minorOfUnits = 10n ** BigInt(decimalPlaces[quote]);
  let rest = BigInt(spendMinor) * unitsOfMinor;
  let isDone = false;
  return {
    take: (price, atMostMinor) => {
      const units = parseDecimal(price, priceScale) * minorOfUnits;
      const affordable = divide(rest, units * BigInt(quantityStep), "down") * BigInt(quantityStep);
      const taken = affordable < BigInt(atMostMinor) ? affordable : BigInt(atMostMinor);
      rest -= taken * units;
      isDone ||= affordable <= BigInt(atMostMinor) && taken > 0n;
      return Number(taken);
    },
    isDone: () => isDone,
  };
}
