import { openapi } from "@gateway/contract";
import { decimalPlaces, formatDecimal } from "@gateway/kernel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  averageUnits,
  chargeBuy,
  holdOfLimit,
  holdOfReplacement,
  holdOfRest,
  isWithin,
  noSums,
  settleSell,
  spendOf,
  type FilledPart,
  type ExactSums,
  type Side,
  type Terms,
} from "../../src/execution/order-money.ts";

const btc: Terms = { base: "BTC", quote: "USD", priceScale: 2 };
const jpy: Terms = { base: "USD", quote: "JPY", priceScale: 3 };
const eth: Terms = { base: "ETH", quote: "USD", priceScale: 2 };

test("the decimal places are those of the document", () => {
  const schema = openapi().components["schemas"]?.["Currency"] as { "x-decimal-places": object };
  expect(decimalPlaces).toEqual(schema["x-decimal-places"]);
});

test.each<[Side, Terms, number, string, bigint]>([
  // 0.1 BTC at 64,250.50: 6,425.05 and 20 bps of it, 12.8501, rounded up.
  ["buy", btc, 10_000_000, "64250.50", 642_505n + 1_286n],
  ["sell", btc, 10_000_000, "64250.50", 10_000_000n],
  // A satoshi costs less than a cent: both are rounded up.
  ["buy", btc, 1, "64250.50", 1n + 1n],
  // 1,000.00 USD at 150 JPY, exactly.
  ["buy", jpy, 100_000, "150.000", 150_000n + 300n],
  ["buy", jpy, 1, "150.125", 2n + 1n],
])("%s of %o, %d at %s, holds %d", (side, terms, quantityMinor, price, hold) => {
  expect(holdOfLimit(side, terms, { quantityMinor, price })).toBe(hold);
});

test.each([
  [0, 0],
  [1, 0],
  [2, 1],
  [1_002, 1_000],
  [1_003, 1_000],
  [100_200, 100_000],
  [Number.MAX_SAFE_INTEGER, 8_989_220_813_114_761],
])("of %d a market buy spends %d, so that its fee fits", (quoteAmountMinor, spendMinor) => {
  expect(spendOf(quoteAmountMinor)).toBe(spendMinor);
  const fee = (BigInt(spendMinor) * 20n + 9_999n) / 10_000n;
  expect(BigInt(spendMinor) + fee <= BigInt(quoteAmountMinor)).toBe(true);
});

describe("fees", () => {
  const fill = (liquidity: FilledPart["liquidity"]): FilledPart => ({
    quantityMinor: 100_000_000,
    price: "50000.00",
    liquidity,
  });
  test.each([
    ["maker", 5_000n],
    ["taker", 10_000n],
  ] as const)("of a %s are %d of 5,000,000", (liquidity, feeMinor) => {
    expect(chargeBuy(noSums, btc, fill(liquidity))).toMatchObject({ notionalMinor: 5_000_000n, feeMinor });
    const sold = settleSell({ ...noSums, chargedFeeMinor: 0n }, btc, fill(liquidity));
    expect(sold).toMatchObject({ notionalMinor: 5_000_000n, feeMinor });
  });

  test("of a sell never pass what it brings, and are taken later", () => {
    const small: FilledPart = { quantityMinor: 20, price: "50000.00", liquidity: "taker" };
    // 20 satoshi bring exactly one cent, and the fee is a fraction of one, rounded up.
    const first = settleSell({ ...noSums, chargedFeeMinor: 0n }, btc, small);
    expect(first).toMatchObject({ notionalMinor: 1n, feeMinor: 1n });
    const tiny = settleSell({ ...noSums, chargedFeeMinor: 0n }, btc, { ...small, quantityMinor: 1 });
    expect(tiny).toMatchObject({ notionalMinor: 0n, feeMinor: 0n });
    const next = settleSell({ ...tiny.sums, chargedFeeMinor: 0n }, btc, { ...small, quantityMinor: 19 });
    expect(next).toMatchObject({ notionalMinor: 1n, feeMinor: 1n });
  });
});

const cents = fc.integer({ min: 1, max: 10_000_000 });
const termsAndPrice = fc
  .constantFrom(btc, jpy, eth)
  .chain((terms) => fc.record({ terms: fc.constant(terms), limit: cents }));
const fills = fc.array(
  fc.record({
    quantityMinor: fc.integer({ min: 1, max: 1_000_000 }),
    below: fc.double({ min: 0, max: 1, noNaN: true }),
    liquidity: fc.constantFrom("maker" as const, "taker" as const),
  }),
  { minLength: 1, maxLength: 3_000 },
);

describe("over any sequence of fills", () => {
  test("a buy is charged at most what was held, and its sums are exact", () => {
    fc.assert(
      fc.property(termsAndPrice, fills, ({ terms, limit }, each) => {
        const price = (units: number) => formatDecimal(BigInt(units), terms.priceScale);
        const quantityMinor = each.reduce((sum, one) => sum + one.quantityMinor, 0);
        const hold = holdOfLimit("buy", terms, { quantityMinor, price: price(limit) });
        let [sums, notional, fee]: [ExactSums, bigint, bigint] = [noSums, 0n, 0n];
        let exact = 0n;
        for (const one of each) {
          const units = Math.max(1, Math.ceil(limit * one.below));
          const charge = chargeBuy(sums, terms, { ...one, price: price(units) });
          expect(charge.notionalMinor >= 0n && charge.feeMinor >= 0n).toBe(true);
          [sums, notional, fee] = [charge.sums, notional + charge.notionalMinor, fee + charge.feeMinor];
          exact += BigInt(one.quantityMinor) * BigInt(units);
        }
        expect(sums.notional).toBe(exact);
        const scale = 10n ** BigInt(decimalPlaces[terms.base] + terms.priceScale);
        const minor = exact * 10n ** BigInt(decimalPlaces[terms.quote]);
        expect(notional).toBe((minor + scale - 1n) / scale);
        expect(notional + fee <= hold).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test("a sell brings its exact sum rounded down, and its fees are at most that", () => {
    fc.assert(
      fc.property(termsAndPrice, fills, ({ terms, limit }, each) => {
        let [sums, proceeds, fee]: [ExactSums, bigint, bigint] = [noSums, 0n, 0n];
        for (const { quantityMinor, liquidity, below } of each) {
          const units = limit + Math.ceil(limit * below);
          const execution = { quantityMinor, liquidity, price: formatDecimal(BigInt(units), terms.priceScale) };
          const brought = settleSell({ ...sums, chargedFeeMinor: fee }, terms, execution);
          expect(brought.feeMinor >= 0n && brought.feeMinor <= brought.notionalMinor).toBe(true);
          [sums, proceeds, fee] = [brought.sums, proceeds + brought.notionalMinor, fee + brought.feeMinor];
        }
        const scale = 10n ** BigInt(decimalPlaces[terms.base] + terms.priceScale);
        const digits = 10n ** BigInt(decimalPlaces[terms.quote]);
        expect(proceeds).toBe((sums.notional * digits) / scale);
        const due = (sums.fee * digits + scale * 10_000n - 1n) / (scale * 10_000n);
        expect(fee <= due).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test("a market buy that spends no more than it may is charged no more than its amount", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), fills, (quoteAmountMinor, each) => {
        const spendMinor = spendOf(quoteAmountMinor);
        let [sums, charged]: [ExactSums, bigint] = [noSums, 0n];
        for (const { quantityMinor, below } of each) {
          const execution = {
            quantityMinor,
            liquidity: "taker" as const,
            price: formatDecimal(BigInt(1 + Math.ceil(9_000_000 * below)), 2),
          };
          const charge = chargeBuy(sums, btc, execution);
          if (isWithin(charge.sums, btc, spendMinor)) {
            [sums, charged] = [charge.sums, charged + charge.notionalMinor + charge.feeMinor];
          }
        }
        expect(charged <= BigInt(quoteAmountMinor)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test("100,000 tiny ones: to the minor unit what one of all of them is", () => {
    const [terms, price] = [btc, "64250.51"];
    const one = { quantityMinor: 1, price, liquidity: "maker" as const };
    const hold = holdOfLimit("buy", terms, { quantityMinor: 100_000, price });
    let [sums, notional, fee]: [ExactSums, bigint, bigint] = [noSums, 0n, 0n];
    let [soldSums, proceeds, soldFee]: [ExactSums, bigint, bigint] = [noSums, 0n, 0n];
    let least = hold;
    for (let count = 0; count < 100_000; count += 1) {
      const charge = chargeBuy(sums, terms, one);
      [sums, notional, fee] = [charge.sums, notional + charge.notionalMinor, fee + charge.feeMinor];
      const left = hold - notional - fee;
      least = left < least ? left : least;
      const sold = settleSell({ ...soldSums, chargedFeeMinor: soldFee }, terms, one);
      [soldSums, proceeds, soldFee] = [sold.sums, proceeds + sold.notionalMinor, soldFee + sold.feeMinor];
    }
    const atOnce = chargeBuy(noSums, terms, { ...one, quantityMinor: 100_000 });
    expect({ notional, fee }).toEqual({ notional: atOnce.notionalMinor, fee: atOnce.feeMinor });
    const soldAtOnce = settleSell({ ...noSums, chargedFeeMinor: 0n }, terms, { ...one, quantityMinor: 100_000 });
    expect({ proceeds, soldFee }).toEqual({ proceeds: soldAtOnce.notionalMinor, soldFee: soldAtOnce.feeMinor });
    expect(least >= 0n).toBe(true);
    expect(averageUnits(sums, 100_000)).toBe(6_425_051n);
  });
});

describe("a replacement", () => {
  const replaced = (filledMinor: number) => {
    const { sums, ...charge } = filledMinor
      ? chargeBuy(noSums, btc, { quantityMinor: filledMinor, price: "100.00", liquidity: "taker" })
      : { sums: noSums, notionalMinor: 0n, feeMinor: 0n };
    const heldMinor =
      holdOfLimit("buy", btc, { quantityMinor: 10_00000000, price: "100.00" }) - charge.notionalMinor - charge.feeMinor;
    return { limitPrice: "100.00", quantityMinor: 10_00000000, filledMinor, heldMinor, sums };
  };
  test.each([
    ["of nothing else", 0, "100.00", 10, 0n],
    ["of less, for less", 0, "50.00", 5, 0n],
    ["for more: the difference, and its fee", 0, "110.00", 10, 10_000n + 20n],
    ["of more: what is more, and its fee", 0, "100.00", 20, 100_000n + 200n],
    // All 10 may be filled at 100 before the other 10 are bought at 50.
    ["of more, for less: the rest, should all of the first be filled", 0, "50.00", 20, 50_000n + 100n],
    ["when some is filled", 4_00000000, "110.00", 10, 6_000n + 12n],
  ] as const)("%s", (_name, filled, price, total, hold) => {
    const totalMinor = total * 1_00000000;
    expect(holdOfReplacement("buy", btc, { replaced: replaced(filled), price, totalMinor })).toBe(hold);
  });

  test.each([
    [10, 10n],
    [15, 15n],
    [5, 10n],
  ])("of a sell of 10, in all %d: both hold %d", (totalMinor, both) => {
    const of = { limitPrice: "100.00", quantityMinor: 10, filledMinor: 3, heldMinor: 7n, sums: noSums };
    expect(holdOfReplacement("sell", btc, { replaced: of, price: "90.00", totalMinor })).toBe(both - 10n);
    expect(holdOfRest("sell", btc, { sums: noSums, quantityMinor: 4, price: "90.00" })).toBe(4n);
  });

  test("is covered by what both hold, whatever is filled of the first before it takes over, in chains of them", () => {
    const step = fc.record({
      price: fc.integer({ min: 1, max: 20_000 }),
      grows: fc.integer({ min: -300, max: 300 }),
      filledBefore: fc.double({ min: 0, max: 1, noNaN: true }),
      filledMeanwhile: fc.double({ min: 0, max: 1, noNaN: true }),
      better: fc.double({ min: 0.5, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(btc, jpy, eth),
        fc.integer({ min: 1, max: 500 }),
        fc.array(step, { minLength: 1, maxLength: 12 }),
        (terms, first, steps) => {
          const text = (units: number) => formatDecimal(BigInt(units), terms.priceScale);
          let [quantity, filled, limit, sums] = [first, 0, 10_000, noSums];
          let held = holdOfLimit("buy", terms, { quantityMinor: quantity, price: text(limit) });
          const fill = (share: number, better: number) => {
            const quantityMinor = Math.floor((quantity - filled) * share);
            if (quantityMinor > 0) {
              const price = text(Math.max(1, Math.floor(limit * better)));
              const charge = chargeBuy(sums, terms, { quantityMinor, price, liquidity: "taker" });
              [sums, held, filled] = [
                charge.sums,
                held - charge.notionalMinor - charge.feeMinor,
                filled + quantityMinor,
              ];
              expect(held >= 0n).toBe(true);
            }
          };
          for (const { price, grows, filledBefore, filledMeanwhile, better } of steps) {
            fill(filledBefore, better);
            const total = Math.max(filled + 1, quantity + grows);
            const own = holdOfReplacement("buy", terms, {
              replaced: {
                limitPrice: text(limit),
                quantityMinor: quantity,
                filledMinor: filled,
                heldMinor: held,
                sums,
              },
              price: text(price),
              totalMinor: total,
            });
            fill(filledMeanwhile, better);
            if (filled === quantity || total <= filled) {
              return;
            }
            const needed = holdOfRest("buy", terms, { sums, quantityMinor: total - filled, price: text(price) });
            expect(needed <= held + own).toBe(true);
            [quantity, filled, limit, held] = [total - filled, 0, price, needed];
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
