import type { Currency } from "@gateway/kernel";

/** The amount, in minor units, at which money leaves an account only after a check of its receiver. */
export const complianceThreshold: Readonly<Record<Currency, number>> = {
  USD: 100_000,
  EUR: 100_000,
  GBP: 100_000,
  JPY: 100_000,
  USDC: 1_000_000_000,
  BTC: 2_000_000,
  ETH: 500_000_000,
};
