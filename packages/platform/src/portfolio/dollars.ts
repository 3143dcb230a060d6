import { decimalPlaces, divide, formatDecimal, keysOf, parseDecimal, type Currency } from "@gateway/kernel";

/** A quantity times a price is exact in 10^-18 dollars, in every currency. Only the cost of a sale is rounded. */
export const dollarDecimals = 18;

/** An inverse price has more decimal places than the oracle's prices: sums up to 10^12 are exact to the cent. */
const priceDecimals = 16;
const oracleDecimals = 8;

const unitsPerCent = 10n ** BigInt(dollarDecimals - 2);

type Pair = { symbol: string; isInverse: boolean };

/** The pair whose price is a currency's worth in dollars. `isInverse`: it is a dollar's worth in that currency. */
export const pairOf: Readonly<Record<Exclude<Currency, "USD">, Pair>> = {
  EUR: { symbol: "EUR-USD", isInverse: false },
  GBP: { symbol: "GBP-USD", isInverse: false },
  JPY: { symbol: "USD-JPY", isInverse: true },
  USDC: { symbol: "USDC-USD", isInverse: false },
  BTC: { symbol: "BTC-USD", isInverse: false },
  ETH: { symbol: "ETH-USD", isInverse: false },
};

export const currencies: readonly Currency[] = keysOf(decimalPlaces);

/** The worth of one whole unit of the currency in dollars, by the price of its pair. */
export function unitPriceOf(currency: Exclude<Currency, "USD">, price: string): string {
  if (!pairOf[currency].isInverse) {
    return price;
  }
  const inverse = divide(
    10n ** BigInt(priceDecimals + oracleDecimals),
    parseDecimal(price, oracleDecimals),
    "half-even",
  );
  return formatDecimal(inverse, priceDecimals);
}

/** Exact. `unitPrice` is the price of a whole unit. */
export function worthOf(quantityMinor: bigint, unitPrice: string, currency: Currency): bigint {
  const places = decimalPlaces[currency] + priceDecimals;
  const worth = quantityMinor * parseDecimal(unitPrice, priceDecimals);
  return divide(worth * 10n ** BigInt(dollarDecimals), 10n ** BigInt(places), "half-even");
}

export function centsOf(units: bigint): bigint {
  return divide(units, unitsPerCent, "half-even");
}

export function dollarsOfCents(cents: bigint): bigint {
  return cents * unitsPerCent;
}

/** The average cost of a whole unit in dollars, or null when there is none. */
export function averageOf(cost: bigint, quantityMinor: bigint, currency: Currency): string | null {
  if (quantityMinor === 0n) {
    return null;
  }
  const whole = cost * 10n ** BigInt(decimalPlaces[currency] + oracleDecimals);
  return formatDecimal(divide(whole, quantityMinor * 10n ** BigInt(dollarDecimals), "half-even"), oracleDecimals);
}
