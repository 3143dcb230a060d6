/** Those of the document, which says how many decimal places the minor unit of each has. */
export type Currency = "USD" | "EUR" | "GBP" | "JPY" | "USDC" | "BTC" | "ETH";

/** How many decimal places the minor unit of each has; a test holds it against the document. */
export const decimalPlaces: Readonly<Record<Currency, number>> = {
  USD: 2,
  EUR: 2,
  GBP: 2,
  JPY: 0,
  USDC: 6,
  BTC: 8,
  ETH: 9,
};
