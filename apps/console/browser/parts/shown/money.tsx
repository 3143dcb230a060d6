import type { Currency } from "gateway-api-client";
import { decimalOf } from "../../data/amount.ts";

/** An amount in minor units, exact: digits are moved, never divided. */
export function Money({ amount, currency }: { amount: number; currency: Currency }) {
  return (
    <span className="number">
      {amountText(amount, currency)} <span className="currency">{currency}</span>
    </span>
  );
}

/** The digits alone, grouped and pointed: `1,204.50`. */
export function amountText(amount: number, currency: Currency): string {
  return grouped(decimalOf(amount, currency));
}

/** Decimal text with its thousands apart and every digit that it has, the same in every browser. */
export function grouped(decimal: string): string {
  return decimal.replace(/\d+/, (whole) => BigInt(whole).toLocaleString("en"));
}
