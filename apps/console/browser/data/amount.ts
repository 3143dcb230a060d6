import { formatMoney, MoneyError, parseMoney, type Currency } from "gateway-api-client";

/** The typed amount in minor units. Throws an Error that says what to change. An amount is never guessed or rounded. */
export function amountOf(text: string | undefined, currency: Currency): number {
  try {
    const amount = parseMoney(text ?? "", currency);
    if (amount <= 0) {
      throw new Error("The amount must be greater than zero.");
    }
    return amount;
  } catch (error) {
    throw error instanceof MoneyError ? new Error(text ? error.message : `Write an amount in ${currency}.`) : error;
  }
}

/** An amount in minor units as a person would type it: `0.05`, exact. */
export function decimalOf(amount: number, currency: Currency): string {
  return formatMoney(amount, currency).replace(`${currency} `, "");
}
