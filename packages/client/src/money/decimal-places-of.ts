import { decimalPlaces } from "../generated/decimal-places.ts";
import type { Currency } from "../generated/types.ts";
import { MoneyError } from "./money-error.ts";

/** Programs without types, and newer gateways, may name a currency that is not in the table. */
export function decimalPlacesOf(currency: Currency): number {
  if (!Object.hasOwn(decimalPlaces, currency)) {
    throw new MoneyError("currency_unknown", `${currency} is none of ${Object.keys(decimalPlaces).join(", ")}.`);
  }
  return decimalPlaces[currency];
}
