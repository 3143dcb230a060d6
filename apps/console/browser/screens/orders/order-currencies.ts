import type { Currency } from "gateway-api-client";

/** `BTC-USD` is bought and sold in BTC and paid in USD. */
export const baseOf = (symbol: string): Currency => currencyOf(symbol, 0);
export const quoteOf = (symbol: string): Currency => currencyOf(symbol, 1);

function currencyOf(symbol: string, place: 0 | 1): Currency {
  // The gateway lists no other symbols.
  return symbol.split("-")[place] as Currency;
}
