import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { divide, formatDecimal, parseDecimal } from "../src/index.ts";

test.each([
  ["0", 2, 0n],
  ["64250.5", 2, 6_425_050n],
  ["64250.50", 2, 6_425_050n],
  ["-0.000001", 6, -1n],
  ["9007199254740993.25", 2, 900_719_925_474_099_325n],
  ["7", 0, 7n],
])("%s with %i places is %s", (text, scale, units) => {
  expect(parseDecimal(text, scale)).toBe(units);
});

test.each(["", "1.", ".5", "1e3", "+1", " 1", "1,5", "0x1", "1.005", "NaN", "--1"])("%j is refused", (text) => {
  expect(() => parseDecimal(text, 2)).toThrow(RangeError);
});

test("what is written is read again, with all its places", () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.integer({ min: 0, max: 12 }), (units, scale) => {
      expect(parseDecimal(formatDecimal(units, scale), scale)).toBe(units);
    }),
  );
  expect(formatDecimal(-5n, 2)).toBe("-0.05");
  expect(formatDecimal(120n, 0)).toBe("120");
});

describe("dividing", () => {
  test.each([
    [7n, 2n, 3n, 4n, 4n],
    [5n, 2n, 2n, 3n, 2n],
    [-5n, 2n, -3n, -2n, -2n],
    [-7n, 2n, -4n, -3n, -4n],
    [6n, 2n, 3n, 3n, 3n],
    [-1n, 3n, -1n, 0n, 0n],
    [2n, 3n, 0n, 1n, 1n],
  ])("%s / %s is %s rounded down, %s up, %s half to even", (numerator, denominator, down, up, halfEven) => {
    expect(divide(numerator, denominator, "down")).toBe(down);
    expect(divide(numerator, denominator, "up")).toBe(up);
    expect(divide(numerator, denominator, "half-even")).toBe(halfEven);
  });

  test("what is rounded half to even is at most half away", () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt({ min: 1n }), (numerator, denominator) => {
        const away = 2n * (divide(numerator, denominator, "half-even") * denominator - numerator);
        expect(away <= denominator && -away <= denominator).toBe(true);
      }),
    );
  });
});
