import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideVenueFact, type KnownOrder } from "../../src/execution/decide-venue-fact.ts";
import { addFill, noSums } from "../../src/execution/order-money.ts";
import type { FactContent } from "@gateway/engine/work";

const open: KnownOrder = {
  status: "open",
  side: "buy",
  type: "limit",
  terms: { base: "BTC", quote: "USD", priceScale: 2 },
  quantityMinor: 100,
  spendMinor: null,
  limitPrice: "50000.00",
  filledMinor: 0,
  sums: noSums,
  isWaiting: false,
  hasReplacement: false,
};
const accepted: KnownOrder = { ...open, status: "accepted" };
const waiting: KnownOrder = { ...accepted, isWaiting: true };
const partly: KnownOrder = { ...open, status: "partially_filled", filledMinor: 40 };

const fill = (quantityMinor: number, change: object = {}): FactContent => ({
  ...{ type: "filled", orderId: "ord_1", venueFillId: String(quantityMinor), quantityMinor, price: "50000.00" },
  ...{ liquidity: "taker", last: null, executedAtMs: 1, ...change },
});
const end = (type: string, filledQuantityMinor: unknown): FactContent => ({ type, filledQuantityMinor });

describe("of an order that stands so, a fact", () => {
  test.each<[string, KnownOrder | null, FactContent, string]>([
    ["of no order of ours waits", null, fill(1), "parked"],
    ["accepted opens it", accepted, { type: "accepted" }, "open"],
    ["accepted late says nothing new", partly, { type: "accepted" }, "superseded"],
    ["accepted of a replacement waits", waiting, { type: "accepted" }, "parked"],
    ["rejected rejects it", accepted, { type: "rejected" }, "reject"],
    ["rejected of a replacement rejects it", waiting, { type: "rejected" }, "reject"],
    ["rejected of what is open contradicts", open, { type: "rejected" }, "mismatched"],
    ["rejected twice says nothing new", { ...open, status: "rejected" }, { type: "rejected" }, "superseded"],
    ["filled fills it before it is accepted", accepted, fill(1), "fill"],
    ["filled of a replacement waits", waiting, fill(1), "parked"],
    ["filled to its quantity", partly, fill(60), "fill, the last"],
    ["filled to one less", partly, fill(59), "fill"],
    ["filled by one more", partly, fill(61), "mismatched"],
    ["filled at its limit or better", open, fill(1, { price: "49999.99" }), "fill"],
    ["filled at a worse price", open, fill(1, { price: "50000.01" }), "mismatched"],
    ["a sell at a better price", { ...open, side: "sell" }, fill(1, { price: "50000.01" }), "fill"],
    ["a sell at a worse price", { ...open, side: "sell" }, fill(1, { price: "49999.99" }), "mismatched"],
    ["a last fill with those before", partly, fill(60, { last: { filledQuantityMinor: 100 } }), "fill, the last"],
    ["a last fill without them waits", open, fill(60, { last: { filledQuantityMinor: 100 } }), "parked"],
    ["a last fill of less than its quantity", partly, fill(10, { last: { filledQuantityMinor: 50 } }), "mismatched"],
    ["a last fill of nothing that can be", partly, fill(60, { last: { filledQuantityMinor: "100" } }), "mismatched"],
    ["a fill without a name", open, fill(1, { venueFillId: "" }), "mismatched"],
    ["a fill of nobody's liquidity", open, fill(1, { liquidity: "other" }), "mismatched"],
    ["a price in words", open, fill(1, { price: "1e3" }), "mismatched"],
    ["canceled ends it", partly, end("canceled", 40), "cancel"],
    ["expired ends it", accepted, end("expired", 0), "expire"],
    ["canceled waits for its fills", partly, end("canceled", 41), "parked"],
    ["canceled waits for all of them", partly, end("canceled", 100), "parked"],
    ["canceled with fewer than there are", partly, end("canceled", 39), "mismatched"],
    ["canceled with more than there can be", partly, end("canceled", 101), "mismatched"],
    ["canceled without a number", partly, end("canceled", null), "mismatched"],
    ["replaced ends what has a replacement", { ...partly, hasReplacement: true }, end("replaced", 40), "replace"],
    ["replaced of what has none", partly, end("replaced", 40), "mismatched"],
    [
      "canceled of what is filled already",
      { ...open, status: "filled", filledMinor: 100 },
      end("canceled", 100),
      "superseded",
    ],
    ["canceled of what has expired", { ...partly, status: "expired" }, end("canceled", 40), "mismatched"],
    ["a fill of what is canceled", { ...partly, status: "canceled" }, fill(1), "mismatched"],
    ["what nobody knows", open, { type: "suspended" }, "mismatched"],
  ])("%s", (_name, order, fact, comes) => {
    const decision = decideVenueFact(order, fact);
    const said =
      decision.kind === "none"
        ? decision.verdict
        : decision.kind === "fill" && decision.isLast
          ? "fill, the last"
          : decision.kind;
    expect(said).toBe(comes);
  });

  test("a fill that is known says nothing new, or contradicts", () => {
    const known = { quantityMinor: 10, price: "50000.00" };
    expect(decideVenueFact(partly, fill(10, { price: "50000" }), known)).toMatchObject({ verdict: "superseded" });
    expect(decideVenueFact(partly, fill(11), known)).toMatchObject({ verdict: "mismatched" });
  });

  test("a market buy takes what it may spend, and not a minor unit more", () => {
    const market: KnownOrder = { ...open, type: "market", quantityMinor: null, limitPrice: null, spendMinor: 100 };
    // 2,000 satoshi at 50,000.00 are one dollar.
    expect(decideVenueFact(market, fill(2_000))).toMatchObject({ kind: "fill", isLast: false });
    expect(decideVenueFact(market, fill(2_001))).toMatchObject({ verdict: "mismatched" });
    const last = { last: { filledQuantityMinor: 1_000 } };
    expect(decideVenueFact(market, fill(1_000, last))).toMatchObject({ kind: "fill", isLast: true });
  });
});

test("in whatever order facts come, and however often, an order ends the same", () => {
  const story = fc
    .array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 6 })
    .filter((parts) => parts.reduce((sum, part) => sum + part, 0) <= 100)
    .chain((parts) => {
      const total = parts.reduce((sum, part) => sum + part, 0);
      const facts = [
        { type: "accepted" },
        ...parts.map((part, index) => fill(part, { venueFillId: `fill ${index}` })),
        ...(total < 100 ? [end("canceled", total)] : []),
      ];
      const again = fc.shuffledSubarray([...facts, ...facts], { minLength: 2 * facts.length });
      return fc.record({ total: fc.constant(total), facts: again });
    });
  fc.assert(
    fc.property(story, ({ total, facts }) => {
      let order = accepted;
      const known = new Set<unknown>();
      const take = (fact: FactContent): boolean => {
        const { venueFillId } = fact;
        const isKnown = known.has(venueFillId);
        const decision = decideVenueFact(
          order,
          fact,
          isKnown ? { quantityMinor: Number(fact["quantityMinor"]), price: "50000.00" } : null,
        );
        switch (decision.kind) {
          case "open":
            order = { ...order, status: "open" };
            return true;
          case "fill":
            known.add(venueFillId);
            order = {
              ...order,
              status: decision.isLast ? "filled" : "partially_filled",
              filledMinor: order.filledMinor + decision.fill.quantityMinor,
              sums: addFill(order.sums, order.terms, decision.fill),
            };
            return true;
          case "cancel":
            order = { ...order, status: "canceled" };
            return true;
          case "none":
            expect(decision.verdict).not.toBe("mismatched");
            return decision.verdict !== "parked";
          default:
            return expect.unreachable();
        }
      };
      let parked: FactContent[] = [];
      for (const fact of facts) {
        parked = take(fact) ? parked : [...parked, fact];
        for (let before = -1; before !== parked.length;) {
          before = parked.length;
          parked = parked.filter((one) => !take(one));
        }
      }
      expect({ status: order.status, filled: order.filledMinor, parked }).toEqual({
        ...{ status: total < 100 ? "canceled" : "filled", filled: total, parked: [] },
      });
    }),
  );
});
