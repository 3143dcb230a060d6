import fc from "fast-check";
import { expect, test } from "vitest";
import { ageOfPrices, isFresh } from "../../src/execution/read-market.ts";

const nowMs = Date.UTC(2026, 0, 1);

test.each([
  [null, false],
  [30_001, false],
  [30_000, true],
  [0, true],
  // Its clock is ahead of ours.
  [-1, true],
])("a price of an age of %s ms is good for a market order: %s", (ageMs, expected) => {
  expect(isFresh(ageMs)).toBe(expected);
});

test("prices are fresh while three sources have said one within 30 s, and no longer", () => {
  const ages = fc.array(fc.oneof(fc.integer({ min: 29_998, max: 30_002 }), fc.nat({ max: 90_000 })), { maxLength: 6 });
  fc.assert(
    fc.property(ages, (each) => {
      const said = each.map((ageMs) => ({ atMs: nowMs - ageMs }));
      expect(isFresh(ageOfPrices(said, nowMs))).toBe(each.filter((ageMs) => ageMs <= 30_000).length >= 3);
    }),
  );
});
