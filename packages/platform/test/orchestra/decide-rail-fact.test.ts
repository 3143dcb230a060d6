import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideRailFact } from "../../src/orchestra/decide-rail-fact.ts";
import {
  amountMinor,
  expired,
  initiated,
  railFactCases,
  refused,
  returned,
  settled,
  tell,
  type Known,
  type Told,
} from "./rail-facts.ts";

describe("what a rail tells, in every order", () => {
  test.each(railFactCases)(
    "$facts: $status",
    ({ facts, status, held, available, returned: back, mismatches, waiting }) => {
      expect(tell(facts)).toMatchObject({
        status,
        heldMinor: held,
        availableMinor: available,
        returnedMinor: back,
        mismatches,
        waiting,
      });
    },
  );

  test("of no payment of ours it waits; of one between wallets nothing is true", () => {
    expect(decideRailFact(null, settled)).toEqual({ kind: "none", verdict: "parked" });
    const internal: Known = { ...initiated, rail: "internal", status: "settled" };
    for (const fact of [settled, refused, returned(1)]) {
      expect(decideRailFact(internal, fact)).toEqual({ kind: "none", verdict: "mismatched" });
    }
  });

  test("the first end stands, no money is made or lost, and no more comes back than went", () => {
    const part = fc.integer({ min: -5, max: 120 });
    const fact = fc.oneof(
      fc.constantFrom(settled, refused, expired),
      part.map(returned),
      part.map((told): Told => ({ type: "settled", amountMinor: told })),
    );
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 12 }), (facts) => {
        const books = tell(facts);
        const end = facts.find(
          ({ type, amountMinor: told }) => type === "refused" || (type === "settled" && told === amountMinor),
        );
        expect(books.status).toBe(end === undefined ? "initiated" : end["type"] === "settled" ? "settled" : "failed");
        expect(books.heldMinor).toBe(books.status === "initiated" ? amountMinor : 0);
        expect(books.heldMinor + books.availableMinor + books.outsideMinor).toBe(amountMinor);
        expect(books.returnedMinor).toBeLessThanOrEqual(books.status === "settled" ? amountMinor : 0);
        expect(books.availableMinor).toBe(books.status === "failed" ? amountMinor : books.returnedMinor);
      }),
      { numRuns: 2_000 },
    );
  });
});
