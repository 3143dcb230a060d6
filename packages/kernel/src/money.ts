/** Those of the document, which says how many decimal places the minor unit of each has. */
export type Currency = "USD" | "EUR" | "GBP" | "JPY" | "USDC" | "BTC" | "ETH";
