import type { Currency } from "@gateway/kernel";
import type { RailName } from "@gateway/ports";
import type { CounterpartyCurrency } from "./account-number.ts";

/** Rails to counterparties, by currency. Fees are minor units. Crypto is only paid to wallets of the account. */
export const rails: Readonly<Record<CounterpartyCurrency, { rail: RailName; feeMinor: number }>> = {
  EUR: { rail: "sepa", feeMinor: 20 },
  GBP: { rail: "faster_payments", feeMinor: 20 },
  USD: { rail: "ach", feeMinor: 25 },
  JPY: { rail: "zengin", feeMinor: 30 },
};

export function isOfRail(currency: Currency): currency is CounterpartyCurrency {
  return Object.hasOwn(rails, currency);
}
