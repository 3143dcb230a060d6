import type { Currency } from "@gateway/client";

/** `BTC-USD` is bought and sold in BTC and paid in USD. */
export function baseOf(symbol: string): Currency {
  return symbol.split("-")[0] as Currency;
}

export function quoteOf(symbol: string): Currency {
  return symbol.split("-")[1] as Currency;
}
