import { parseDecimal } from "@gateway/kernel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decidePrice, differsBy, goodUntilMs } from "../../src/oracle/decide-price.ts";
import type { SourcePrice } from "@gateway/ports";

const atMs = 1_773_057_600_000;

/** One source a price, all of this moment. */
function saying(...prices: string[]): SourcePrice[] {
  return prices.map((price, index) => ({ source: `s${index}`, price, atMs }));
}

describe("the price is the median of those that count, the confidence how far the furthest of them is", () => {
  test.each([
    ["five that agree", ["100", "100", "100", "100", "100"], "100.00000000", "0.00000000"],
    ["five", ["99.5", "100", "100.5", "101", "99"], "100.00000000", "1.00000000"],
    ["four: between the two in the middle", ["99", "100", "101", "100.5"], "100.25000000", "1.25000000"],
    ["exactly between, to the even digit below", ["1", "1", "1.00000001", "1.00000001"], "1.00000000", "0.00000001"],
    [
      "exactly between, to the even digit above",
      ["1.00000001", "1.00000001", "1.00000002", "1.00000002"],
      "1.00000002",
      "0.00000001",
    ],
    ["three are enough", ["100", "101", "102"], "101.00000000", "1.00000000"],
    ["one a hundred times off is left out", ["100", "100.1", "100.2", "99.9", "10000"], "100.05000000", "0.15000000"],
    ["two a hundred times off are left out", ["100", "100.1", "10000", "99.9", "1"], "100.00000000", "0.10000000"],
    ["200 bps off counts", ["100", "100", "100", "102", "98"], "100.00000000", "2.00000000"],
    [
      "more than 200 bps off does not",
      ["100", "100", "100", "102.00000001", "97.99999999"],
      "100.00000000",
      "0.00000000",
    ],
    ["more places than eight are rounded", ["1.000000005", "1.000000005", "1.000000015"], "1.00000000", "0.00000002"],
  ])("%s", (_name, prices, price, confidence) => {
    expect(decidePrice(saying(...prices), atMs)).toMatchObject({ price, confidence });
  });
});

describe("no price", () => {
  test.each([
    ["of none", []],
    ["of two", saying("100", "100")],
    ["of one that is there three times", saying("100", "100", "100").map((one) => ({ ...one, source: "s" }))],
    ["of two and one too far off", saying("100", "100", "10000")],
    ["of two against two", saying("1", "1", "100", "100")],
    [
      "of two and one that is older than 30 s",
      [...saying("100", "100"), { source: "old", price: "100", atMs: atMs - 30_001 }],
    ],
    ["of two and one that is of later", [...saying("100", "100"), { source: "new", price: "100", atMs: atMs + 1 }]],
    ...["0", "-100", "", "NaN", "1e2", " 100", "0x64", "0.000000001", "1".repeat(16), `100.${"0".repeat(19)}`].map(
      (price): [string, SourcePrice[]] => [`of two and ${JSON.stringify(price)}`, saying("100", "100", price)],
    ),
    ["of two and one without a name", [...saying("100", "100"), { source: "", price: "100", atMs }]],
    ["of two and one without a time", [...saying("100", "100"), { source: "s", price: "100", atMs: NaN }]],
  ] as [string, SourcePrice[]][])("%s", (_name, said) => {
    expect(decidePrice(said, atMs)).toBeNull();
  });
});

test("what is 30 s old counts", () => {
  const said = [...saying("100", "100"), { source: "old", price: "100", atMs: atMs - 30_000 }];
  expect(decidePrice(said, atMs)).not.toBeNull();
});

test("all sources are told, by name, and which of them counted; each by what it said last", () => {
  const said = [
    { source: "e", price: "100", atMs: atMs - 40_000 },
    ...["d", "c", "b"].map((source) => ({ source, price: "100", atMs: atMs - 1 })),
    { source: "a", price: "10000", atMs },
    { source: "b", price: "7", atMs: atMs - 2 },
  ];
  expect(decidePrice(said, atMs)?.sources).toEqual([
    { name: "a", price: "10000.00000000", atMs, used: false },
    { name: "b", price: "100.00000000", atMs: atMs - 1, used: true },
    { name: "c", price: "100.00000000", atMs: atMs - 1, used: true },
    { name: "d", price: "100.00000000", atMs: atMs - 1, used: true },
    { name: "e", price: "100.00000000", atMs: atMs - 40_000, used: false },
  ]);
});

const anySaid = fc.array(
  fc.record({
    source: fc.constantFrom("a", "b", "c", "d", "e"),
    price: fc.oneof(
      fc.integer({ min: 9_900, max: 10_100 }).map((units) => `${units / 100}`),
      fc.constantFrom("0", "1", "10000", "-3", "much"),
    ),
    atMs: fc.integer({ min: atMs - 60_000, max: atMs + 1_000 }),
  }),
  { maxLength: 8 },
);

test("whatever is said: at least three count, each near the price, and none is further than the confidence", () => {
  fc.assert(
    fc.property(anySaid, (said) => {
      const decided = decidePrice(said, atMs);
      const used = decided?.sources.filter((source) => source.used) ?? [];
      const units = (text: string) => parseDecimal(text, 8);
      const price = units(decided?.price ?? "1");
      const far = used.map((source) => units(source.price) - price).map((off) => (off < 0n ? -off : off));
      expect(decided === null || used.length >= 3).toBe(true);
      expect(used.every((source) => source.atMs <= atMs && source.atMs >= atMs - 30_000)).toBe(true);
      expect(far.every((off) => off <= units(decided?.confidence ?? "0") && off * 10_000n <= 410n * price)).toBe(true);
    }),
  );
});

test("the order in which the sources are told plays no part", () => {
  fc.assert(
    fc.property(anySaid, fc.infiniteStream(fc.nat()), (said, keys) => {
      const shuffled = said.map((one) => [keys.next().value ?? 0, one] as const).toSorted(([a], [b]) => a - b);
      expect(
        decidePrice(
          shuffled.map(([, one]) => one),
          atMs,
        ),
      ).toEqual(decidePrice(said, atMs));
    }),
  );
});

test("a third source, however far off, never moves a price by more than the other two are apart and 200 bps", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), (wrong) => {
      const decided = decidePrice(saying("100", "100.5", "101", "100.2", `${wrong}`), atMs);
      expect(Math.abs(Number(decided?.price) - 100.5)).toBeLessThan(1);
    }),
  );
});

test("until when there can be a price: 30 s after the third latest source fell silent", () => {
  const said = [5, 1, 3, 2, 4].map((seconds) => ({ source: `s${seconds}`, price: "1", atMs: atMs - seconds * 1000 }));
  expect(goodUntilMs(said, atMs)).toBe(atMs - 3_000 + 30_000);
  expect(goodUntilMs(said.slice(0, 2), atMs)).toBeNull();
});

test("50 bps, to both sides", () => {
  expect(differsBy(50n, "100", "100.5")).toBe(true);
  expect(differsBy(50n, "100", "99.5")).toBe(true);
  expect(differsBy(50n, "100", "100.49999999")).toBe(false);
  expect(differsBy(50n, "100", "99.50000001")).toBe(false);
});
