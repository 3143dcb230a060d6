/** Decimal places of the minor unit that amounts of a currency are counted in (ISO 4217; USDC 6, BTC satoshi, ETH gwei). */
export const currencyExponents = {
  USD: 2,
  EUR: 2,
  GBP: 2,
  JPY: 0,
  USDC: 6,
  BTC: 8,
  ETH: 9,
} as const;

export type Currency = keyof typeof currencyExponents;
