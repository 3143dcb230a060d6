import type { Currency } from "@gateway/kernel";

/**
 * From so much on, in minor units, money does not leave an account without somebody having looked at whom it goes to.
 */
export const complianceThreshold: Readonly<Record<Currency, number>> = {
  USD: 100_000,
  EUR: 100_000,
  GBP: 100_000,
  JPY: 100_000,
  USDC: 1_000_000_000,
  BTC: 2_000_000,
  ETH: 500_000_000,
};
