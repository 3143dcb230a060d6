import fc from "fast-check";
import { expect, test } from "vitest";
import { amountOf, decimalOf } from "../browser/data/amount.ts";

test.each([
  ["100", "EUR", 10_000],
  ["10.50", "EUR", 1_050],
  ["10.5", "EUR", 1_050],
  ["0.01", "EUR", 1],
  ["100", "JPY", 100],
  ["8999.97498", "BTC", 899_997_498_000],
] as const)("%s %s is %i of the smallest unit", (text, currency, amount) => {
  expect(amountOf(text, currency)).toBe(amount);
});

test.each([
  ["10.505", "EUR"],
  ["0.5", "JPY"],
  ["0", "EUR"],
  ["-1", "EUR"],
  ["1e3", "EUR"],
  ["", "EUR"],
  [undefined, "EUR"],
] as const)("%s %s is refused, and nothing is rounded", (text, currency) => {
  expect(() => amountOf(text, currency)).toThrow();
});

test("an amount that is shown to be changed comes back as it was, in every currency", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("USD", "EUR", "GBP", "JPY", "USDC", "BTC", "ETH"),
      fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      (currency, amount) => {
        expect(amountOf(decimalOf(amount, currency), currency)).toBe(amount);
      },
    ),
    { seed: 20_260_101, numRuns: 200 },
  );
});
