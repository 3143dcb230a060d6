import type { Currency } from "../generated/types.ts";
import { decimalPlacesOf } from "./decimal-places-of.ts";
import { MoneyError } from "./money-error.ts";

/** `locale`: for whom, such as `de-DE`; without one the text is the same everywhere, and `parseMoney` reads it. */
export type FormatMoneyOptions = { locale?: Intl.LocalesArgument };

/**
 * An amount in minor units as text: `formatMoney(1050, "EUR")` is `EUR 10.50`, for `de-DE` `10,50 €`. Exact for every
 * safe integer, since only digits are moved. Throws a MoneyError for a number that is none, and for a currency that
 * this version does not know.
 */
export function formatMoney(amount: number, currency: Currency, { locale }: FormatMoneyOptions = {}): string {
  const places = decimalPlacesOf(currency);
  if (!Number.isSafeInteger(amount)) {
    throw new MoneyError("not_an_amount", `${amount} is not an amount: use integers in minor units, up to 2^53 - 1.`);
  }
  const decimal = withPoint(BigInt(amount), places);
  return locale === undefined ? `${currency} ${decimal}` : localized(decimal, currency, places, locale);
}

function withPoint(amount: bigint, places: number): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(places + 1, "0");
  const [whole, fraction] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)];
  return `${amount < 0n ? "-" : ""}${whole}${fraction && `.${fraction}`}`;
}

/**
 * Intl takes codes of three letters only: for others it places the one for no currency. It gets the whole part as a
 * bigint and the fraction as an integer: older browsers would make a floating-point number of decimal text.
 */
function localized(decimal: string, currency: Currency, places: number, locale: Intl.LocalesArgument): string {
  const placed = currency.length === 3 ? currency : "XXX";
  const format = new Intl.NumberFormat(locale, {
    style: "currency",
    currency: placed,
    currencyDisplay: placed === currency ? "symbol" : "code",
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
  const [whole = "", fraction = ""] = decimal.split(".");
  const digits = new Intl.NumberFormat(locale, { useGrouping: false, minimumIntegerDigits: places || 1 });
  return format
    .formatToParts(whole === "-0" ? -0 : BigInt(whole))
    .map(({ type, value }) => {
      if (type === "fraction") {
        return digits.format(Number(fraction));
      }
      return type === "currency" && placed !== currency ? currency : value;
    })
    .join("");
}
