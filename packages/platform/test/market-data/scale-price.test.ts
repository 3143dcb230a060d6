import { parseDecimal } from "@gateway/kernel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instruments, termsOf, type InstrumentTerms } from "../../src/market-data/index.ts";
import { scaleBook, scalePrice } from "../../src/market-data/scale-price.ts";

const bitcoin = termsOf("BTC-USD") as InstrumentTerms;
const anyMultiplier = fc.record({
  units: fc.integer({ min: 1, max: 10_000_000 }),
  referenceUnits: fc.integer({ min: 1, max: 10_000_000 }),
});
const anyTerms = fc.constantFrom(...instruments);

describe("a price", () => {
  test.each([
    ["100.00", { units: 3, referenceUnits: 2 }, "150.00"],
    ["0.01", { units: 3, referenceUnits: 2 }, "0.02"],
    ["0.03", { units: 3, referenceUnits: 2 }, "0.04"],
    ["0.01", { units: 1, referenceUnits: 1_000_000 }, "0.01"],
    ["64250.50", { units: 1_000_000_000, referenceUnits: 1 }, "64250500000000.00"],
    ["64250.5", null, "64250.5"],
  ])("%s times %j is %s", (price, multiplier, expected) => {
    expect(scalePrice(price, { terms: bitcoin, multiplier })).toBe(expected);
  });

  test("of two the greater stays the greater or becomes equal, whatever both are multiplied by", () => {
    fc.assert(
      fc.property(anyTerms, anyMultiplier, fc.nat(1e9), fc.nat(1e9), (terms, multiplier, one, other) => {
        const scaled = (units: number) => {
          const digits = String(units + 1).padStart(terms.priceScale + 1, "0");
          const price = `${digits.slice(0, -terms.priceScale)}.${digits.slice(-terms.priceScale)}`;
          return parseDecimal(scalePrice(price, { terms, multiplier }), terms.priceScale);
        };
        expect(scaled(Math.min(one, other))).toBeLessThanOrEqual(scaled(Math.max(one, other)));
      }),
    );
  });
});

describe("a book", () => {
  const book = {
    bids: [
      { price: "100.00", quantityMinor: 1 },
      { price: "99.99", quantityMinor: 2 },
    ],
    asks: [
      { price: "100.01", quantityMinor: 3 },
      { price: "100.02", quantityMinor: 4 },
    ],
  };

  test("keeps its quantities, and levels that come to one price are one", () => {
    expect(scaleBook(book, { terms: bitcoin, multiplier: { units: 1, referenceUnits: 10 } })).toEqual({
      bids: [
        { price: "10.00", quantityMinor: 1 },
        { price: "9.99", quantityMinor: 2 },
      ],
      asks: [{ price: "10.01", quantityMinor: 7 }],
    });
  });

  test("has its best bid below its best ask, levels in order and all of its quantity, however it is multiplied", () => {
    fc.assert(
      fc.property(anyMultiplier, (multiplier) => {
        const { bids, asks } = scaleBook(book, { terms: bitcoin, multiplier });
        const units = [...bids.toReversed(), ...asks].map(({ price }) => parseDecimal(price, 2));
        expect(units).toEqual([...new Set(units)].toSorted((a, b) => Number(a - b)));
        expect(units.every((one) => one > 0n)).toBe(true);
        expect(asks.reduce((sum, { quantityMinor }) => sum + quantityMinor, 0)).toBe(7);
      }),
    );
  });

  test("that nothing multiplies is as the port gave it", () => {
    expect(scaleBook(book, { terms: bitcoin, multiplier: null })).toEqual(book);
  });
});
