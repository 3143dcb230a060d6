import type { Currency } from "../generated/types.ts";
import { decimalPlacesOf } from "./decimal-places-of.ts";
import { MoneyError } from "./money-error.ts";

const form = /^(?:(?<code>[A-Z]{3,4}) )?(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?$/;

/**
 * The amount in minor units of a string: `parseMoney("10.50", "EUR")` is 1050. Reads digits with at most one point, and
 * the code before them as `formatMoney` writes it. It never guesses or rounds. Grouped digits, a decimal comma and more
 * decimals than the currency has throw a MoneyError, whose `reason` names the fault.
 */
export function parseMoney(text: string, currency: Currency): number {
  const places = decimalPlacesOf(currency);
  const { code = currency, sign = "", whole = "", fraction = "" } = form.exec(text.trim())?.groups ?? {};
  const quoted = JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
  if (whole === "") {
    const example = places === 0 ? "1050" : `10.${"5".padEnd(places, "0")}`;
    throw new MoneyError(
      "not_an_amount",
      `${quoted} is not an amount: write digits and at most a point, such as ${example}.`,
    );
  }
  if (code !== currency) {
    throw new MoneyError("currency_other", `${quoted} is in ${code}, not in ${currency}.`);
  }
  if (fraction.length > places) {
    throw new MoneyError(
      "too_many_decimals",
      `${quoted} has ${fraction.length} decimal places; ${currency} has ${places === 0 ? "none" : `at most ${places}`}.`,
    );
  }
  const amount = BigInt(`${whole}${fraction.padEnd(places, "0")}`);
  if (amount > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new MoneyError("too_large", `${quoted} is more than 2^53 - 1 minor units of ${currency}.`);
  }
  return Number(sign ? -amount : amount);
}
