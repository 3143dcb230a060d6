import fc from "fast-check";
import { expect, test } from "vitest";
import { ageOfPrices, isFresh } from "../../src/execution/read-market.ts";

test("prices are fresh while three sources have said one within 30 s, and no longer", () => {
  const atMs = Date.UTC(2026, 0, 1);
  const ages = fc.array(fc.oneof(fc.integer({ min: 29_998, max: 30_002 }), fc.nat({ max: 90_000 })), { maxLength: 6 });
  fc.assert(
    fc.property(ages, (each) => {
      const said = each.map((ageMs) => ({ atMs: atMs - ageMs }));
      expect(isFresh(ageOfPrices(said, atMs))).toBe(each.filter((ageMs) => ageMs <= 30_000).length >= 3);
    }),
  );
});
