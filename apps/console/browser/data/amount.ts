import { formatMoney, MoneyError, parseMoney, type Currency } from "gateway-api-client";

/** What was typed, in minor units. Throws an Error that says what to change: nothing is guessed or rounded. */
export function amountOf(text: string | undefined, currency: Currency): number {
  try {
    const amount = parseMoney(text ?? "", currency);
    if (amount <= 0) {
      throw new Error("The amount must be more than nothing.");
    }
    return amount;
  } catch (error) {
    throw error instanceof MoneyError ? new Error(text ? error.message : `Write an amount in ${currency}.`) : error;
  }
}

/** An amount in minor units as somebody would type it: `0.05`, exact. */
export function decimalOf(amount: number, currency: Currency): string {
  return formatMoney(amount, currency).replace(`${currency} `, "");
}
