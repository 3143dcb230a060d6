import type { Currency } from "@gateway/client";
import { decimalOf } from "./amount.ts";

/** An amount in minor units, exact: digits are moved, never divided. The code stands for currencies whose sign several share. */
export function Money({ amount, currency }: { amount: number; currency: Currency }) {
  return (
    <span className="number">
      {amountText(amount, currency)} <span className="currency">{currency}</span>
    </span>
  );
}

/** The digits alone, grouped as the browser's language does. */
export function amountText(amount: number, currency: Currency): string {
  const decimal = decimalOf(amount, currency);
  const places = decimal.split(".")[1]?.length ?? 0;
  return new Intl.NumberFormat(navigator.language, {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  }).format(
    // Intl takes decimal text, and rounds nothing of it.
    decimal as `${number}`,
  );
}
