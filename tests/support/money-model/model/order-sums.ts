import type { Currency, Sums } from "./state.ts";

/** Quantities are minor units of the base, prices whole numbers of the instrument's last place. */
export type Market = {
  symbol: string;
  base: Currency;
  quote: "USD";
  priceScale: number;
  /** This much of quantity × price is one minor unit of the quote. */
  perMinor: bigint;
  minimum: number;
  step: number;
  /** Prices are near this one. */
  price: number;
};

export const markets: readonly Market[] = [
  {
    ...{ symbol: "ETH-USD", base: "ETH", quote: "USD", priceScale: 2, perMinor: 1_000_000_000n },
    ...{ minimum: 100_000, step: 100_000, price: 300_000 },
  },
  {
    ...{ symbol: "EUR-USD", base: "EUR", quote: "USD", priceScale: 5, perMinor: 100_000n },
    ...{ minimum: 100, step: 1, price: 108_000 },
  },
];

export type Liquidity = "maker" | "taker";

const feeBps = { maker: 10n, taker: 20n };
const bpsOfAll = 10_000n;

export function addFill(
  { notional, fee }: Sums,
  { quantity, price, liquidity }: { quantity: number; price: number; liquidity: Liquidity },
): Sums {
  const exact = BigInt(quantity) * BigInt(price);
  return { notional: notional + exact, fee: fee + exact * feeBps[liquidity] };
}

export function addSums(one: Sums, other: Sums): Sums {
  return { notional: one.notional + other.notional, fee: one.fee + other.fee };
}

/** A fill costs most at the order's limit and with the taker's fee. */
export function addWorst(sums: Sums, quantity: number, price: number): Sums {
  return addFill(sums, { quantity, price, liquidity: "taker" });
}

export function notionalUp({ notional }: Sums, { perMinor }: Market): number {
  return Number((notional + perMinor - 1n) / perMinor);
}

export function notionalDown({ notional }: Sums, { perMinor }: Market): number {
  return Number(notional / perMinor);
}

export function feeUp({ fee }: Sums, { perMinor }: Market): number {
  const perFee = perMinor * bpsOfAll;
  return Number((fee + perFee - 1n) / perFee);
}

/** The total that a buyer pays for fills with these sums. */
export function costOf(sums: Sums, market: Market): number {
  return notionalUp(sums, market) + feeUp(sums, market);
}

/** The part of a market buy's amount that its fills may use. The rest is kept for the taker's fee. */
export function spendOf(quoteAmount: number): number {
  return Math.floor((quoteAmount * 10_000) / 10_020);
}
