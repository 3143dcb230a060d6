import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decimalPlacesOf } from "../src/money/decimal-places-of.ts";
import { formatMoney, MoneyError, parseMoney, type Currency } from "../src/index.ts";

const largest = Number.MAX_SAFE_INTEGER;
const all: Record<Currency, true> = { USD: true, EUR: true, GBP: true, JPY: true, USDC: true, BTC: true, ETH: true };
// Its keys are the currencies: it is a record of them.
const currencies = Object.keys(all) as Currency[];
const amounts = fc.tuple(fc.maxSafeInteger(), fc.constantFrom(...currencies));

test("every amount comes back from its text as it was", () => {
  fc.assert(
    fc.property(amounts, ([amount, currency]) => {
      expect(parseMoney(formatMoney(amount, currency), currency)).toBe(amount);
    }),
  );
});

test("every amount has the same digits in every locale", () => {
  const locale = fc.constantFrom("en-US", "de-DE", "ja-JP", "fr-CH");
  fc.assert(
    fc.property(amounts, locale, ([amount, currency], forWhom) => {
      const digits = formatMoney(amount, currency, { locale: forWhom }).replace(/\D/g, "");
      expect(digits).toBe(String(Math.abs(amount)).padStart(decimalPlacesOf(currency) + 1, "0"));
    }),
  );
});

test("the neighbours of the largest amount stay apart, where a floating point would join them", () => {
  const texts = [largest, largest - 1, largest - 2].map((amount) => formatMoney(amount, "ETH", { locale: "en-US" }));
  expect(new Set(texts).size).toBe(3);
});

describe("an amount as text", () => {
  test.each<[amount: number, currency: Currency, plain: string, german: string]>([
    [0, "EUR", "EUR 0.00", "0,00 €"],
    [-0, "EUR", "EUR 0.00", "0,00 €"],
    [5, "USD", "USD 0.05", "0,05 $"],
    [1050, "EUR", "EUR 10.50", "10,50 €"],
    [-1050, "GBP", "GBP -10.50", "-10,50 £"],
    [1050, "JPY", "JPY 1050", "1.050 ¥"],
    [1, "BTC", "BTC 0.00000001", "0,00000001 BTC"],
    [2_500_000, "USDC", "USDC 2.500000", "2,500000 USDC"],
    [largest, "ETH", "ETH 9007199.254740991", "9.007.199,254740991 ETH"],
    [largest, "EUR", "EUR 90071992547409.91", "90.071.992.547.409,91 €"],
  ])("%d %s", (amount, currency, plain, german) => {
    expect(formatMoney(amount, currency)).toBe(plain);
    expect(formatMoney(amount, currency, { locale: "de-DE" }).replace(/\s/, " ")).toBe(german);
  });

  test.each([1.5, Number.NaN, Infinity, largest + 1, -largest - 1])("%d is none", (amount) => {
    expect(reasonOf(() => formatMoney(amount, "EUR"))).toBe("not_an_amount");
  });
});

describe("a text as an amount", () => {
  test.each<[text: string, currency: Currency, amount: number]>([
    ["10.50", "EUR", 1050],
    ["10.5", "EUR", 1050],
    ["10", "EUR", 1000],
    [" EUR 10.50\n", "EUR", 1050],
    ["-0.01", "EUR", -1],
    ["0007", "JPY", 7],
    ["0.1", "USD", 10],
    ["1.15", "USD", 115], // 1.15 * 100 is 114.99999999999999
    ["USDC 0.000001", "USDC", 1],
    ["9007199.254740991", "ETH", largest],
    ["90071992547409.91", "EUR", largest],
  ])("%j in %s", (text, currency, amount) => {
    expect(parseMoney(text, currency)).toBe(amount);
  });

  test.each<[text: string, currency: Currency, reason: string, message: RegExp]>([
    ["", "EUR", "not_an_amount", /^"" is not an amount: write digits and at most a point, such as 10\.50\.$/],
    ["10,50", "EUR", "not_an_amount", /"10,50" is not an amount/],
    ["1,000.00", "EUR", "not_an_amount", /not an amount/],
    ["1e3", "EUR", "not_an_amount", /not an amount/],
    ["+1", "EUR", "not_an_amount", /not an amount/],
    [".5", "EUR", "not_an_amount", /not an amount/],
    ["5.", "EUR", "not_an_amount", /not an amount/],
    ["١٢", "EUR", "not_an_amount", /not an amount/],
    ["10 €", "EUR", "not_an_amount", /not an amount/],
    ["a".repeat(100_000), "JPY", "not_an_amount", /^"a{40}…" is not an amount: .* such as 1050\.$/],
    ["10.501", "EUR", "too_many_decimals", /"10\.501" has 3 decimal places; EUR has at most 2\./],
    ["10.500", "EUR", "too_many_decimals", /at most 2/],
    ["10.5", "JPY", "too_many_decimals", /JPY has none/],
    ["90071992547409.92", "EUR", "too_large", /more than 2\^53 - 1 minor units of EUR/],
    ["-90071992547409.92", "EUR", "too_large", /more than/],
    ["USD 10.50", "EUR", "currency_other", /is in USD, not in EUR/],
  ])("%j is none in %s: %s", (text, currency, reason, message) => {
    expect(reasonOf(() => parseMoney(text, currency))).toBe(reason);
    expect(() => parseMoney(text, currency)).toThrow(message);
  });

  test("cents are read exactly", () => {
    const parts = fc.tuple(fc.integer({ min: 0 }), fc.integer({ min: 0, max: 99 }));
    fc.assert(
      fc.property(parts, ([whole, cents]) => {
        const text = `${whole}.${String(cents).padStart(2, "0")}`;
        expect(BigInt(parseMoney(text, "USD"))).toBe(BigInt(whole) * 100n + BigInt(cents));
      }),
    );
  });
});

test("a currency that the document does not have is refused by name, also one that every object has", () => {
  for (const currency of ["DOGE", "toString"]) {
    // A program without types may pass such a value.
    const unknown = currency as Currency;
    expect(reasonOf(() => formatMoney(1, unknown))).toBe("currency_unknown");
    expect(() => parseMoney("1", unknown)).toThrow(`${currency} is none of USD, EUR, GBP, JPY, USDC, BTC, ETH.`);
  }
});

function reasonOf(act: () => unknown): string | null {
  try {
    act();
    return null;
  } catch (error) {
    return error instanceof MoneyError ? error.reason : String(error);
  }
}

test("for a locale it is what a browser of today makes of the decimal text, which older ones would round", () => {
  const locale = fc.constantFrom("en-US", "de-DE", "ja-JP", "fr-CH", "ar-EG", "hi-IN", "fa-IR", "en-IN");
  const signed = fc.tuple(fc.maxSafeInteger(), fc.constantFrom("USD", "EUR", "GBP", "JPY"));
  fc.assert(
    fc.property(signed, locale, ([amount, currency], forWhom) => {
      const plain = formatMoney(amount, currency).slice(4) as `${number}`;
      const today = new Intl.NumberFormat(forWhom, {
        style: "currency",
        currency,
        minimumFractionDigits: currency === "JPY" ? 0 : 2,
      });
      expect(formatMoney(amount, currency, { locale: forWhom })).toBe(today.format(plain));
    }),
    {
      examples: [
        [[-50, "EUR"], "en-US"],
        [[0, "EUR"], "ar-EG"],
        [[-1, "USD"], "de-DE"],
        [[5, "USD"], "hi-IN"],
      ],
    },
  );
});
