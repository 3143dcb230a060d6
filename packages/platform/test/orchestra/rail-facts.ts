import { decideRailFact } from "../../src/orchestra/decide-rail-fact.ts";

export type Known = NonNullable<Parameters<typeof decideRailFact>[0]>;
export type Told = Parameters<typeof decideRailFact>[1];

export const amountMinor = 100;
export const initiated: Known = { rail: "sepa", status: "initiated", amountMinor, returnedMinor: 0 };
export const settled: Told = { type: "settled", amountMinor };
export const refused: Told = { type: "refused", code: "rail_refused" };
export const expired: Told = { type: "refused", code: "expired" };
export const returned = (part: number): Told => ({ type: "returned", amountMinor: part });

type Books = Known & { heldMinor: number; availableMinor: number; outsideMinor: number; mismatches: number };

/** The results of the decisions in inbox and ledger. Waiting facts are tried again after each applied one. */
export function tell(facts: readonly Told[]): Books & { waiting: number } {
  let books: Books = { ...initiated, heldMinor: amountMinor, availableMinor: 0, outsideMinor: 0, mismatches: 0 };
  let waiting: Told[] = [];
  const take = (fact: Told): "applied" | "parked" | "done" => {
    const decision = decideRailFact(books, fact);
    switch (decision.kind) {
      case "settle":
        books = { ...books, status: "settled", heldMinor: 0, outsideMinor: books.outsideMinor + amountMinor };
        return "applied";
      case "fail":
        books = { ...books, status: "failed", heldMinor: 0, availableMinor: books.availableMinor + amountMinor };
        return "applied";
      case "return":
        books = {
          ...books,
          returnedMinor: books.returnedMinor + decision.amountMinor,
          availableMinor: books.availableMinor + decision.amountMinor,
          outsideMinor: books.outsideMinor - decision.amountMinor,
        };
        return "applied";
      case "none":
        books = { ...books, mismatches: books.mismatches + (decision.verdict === "mismatched" ? 1 : 0) };
        return decision.verdict === "parked" ? "parked" : "done";
    }
  };
  for (const fact of facts) {
    let verdict = take(fact);
    if (verdict === "parked") {
      waiting.push(fact);
    }
    while (verdict === "applied") {
      verdict = "done";
      for (const parked of waiting) {
        const again = take(parked);
        waiting = again === "parked" ? waiting : waiting.filter((one) => one !== parked);
        if (again === "applied") {
          verdict = "applied";
          break;
        }
      }
    }
  }
  return { ...books, waiting: waiting.length };
}

/** Facts and their results, in minor units. */
export const railFactCases = [
  { facts: [], status: "initiated", held: 100, available: 0, returned: 0, mismatches: 0, waiting: 0 },
  { facts: [settled], status: "settled", held: 0, available: 0, returned: 0, mismatches: 0, waiting: 0 },
  { facts: [refused], status: "failed", held: 0, available: 100, returned: 0, mismatches: 0, waiting: 0 },
  { facts: [expired], status: "failed", held: 0, available: 100, returned: 0, mismatches: 0, waiting: 0 },
  { facts: [settled, settled], status: "settled", held: 0, available: 0, returned: 0, mismatches: 0, waiting: 0 },
  { facts: [refused, expired], status: "failed", held: 0, available: 100, returned: 0, mismatches: 0, waiting: 0 },
  { facts: [refused, settled], status: "failed", held: 0, available: 100, returned: 0, mismatches: 1, waiting: 0 },
  { facts: [settled, refused], status: "settled", held: 0, available: 0, returned: 0, mismatches: 1, waiting: 0 },
  {
    facts: [settled, returned(40)],
    status: "settled",
    held: 0,
    available: 40,
    returned: 40,
    mismatches: 0,
    waiting: 0,
  },
  {
    facts: [returned(40), settled],
    status: "settled",
    held: 0,
    available: 40,
    returned: 40,
    mismatches: 0,
    waiting: 0,
  },
  { facts: [returned(40)], status: "initiated", held: 100, available: 0, returned: 0, mismatches: 0, waiting: 1 },
  {
    facts: [returned(40), returned(60), settled],
    status: "settled",
    held: 0,
    available: 100,
    returned: 100,
    mismatches: 0,
    waiting: 0,
  },
  {
    facts: [settled, returned(40), returned(61)],
    status: "settled",
    held: 0,
    available: 40,
    returned: 40,
    mismatches: 1,
    waiting: 0,
  },
  {
    facts: [returned(60), returned(60), settled],
    status: "settled",
    held: 0,
    available: 60,
    returned: 60,
    mismatches: 1,
    waiting: 0,
  },
  {
    facts: [returned(100), refused],
    status: "failed",
    held: 0,
    available: 100,
    returned: 0,
    mismatches: 1,
    waiting: 0,
  },
  {
    facts: [{ ...settled, amountMinor: 99 }],
    status: "initiated",
    held: 100,
    available: 0,
    returned: 0,
    mismatches: 1,
    waiting: 0,
  },
  {
    facts: [{ ...settled, amountMinor: "100" }],
    status: "initiated",
    held: 100,
    available: 0,
    returned: 0,
    mismatches: 1,
    waiting: 0,
  },
  {
    facts: [settled, returned(0), returned(-1), returned(1.5), returned(101)],
    status: "settled",
    held: 0,
    available: 0,
    returned: 0,
    mismatches: 4,
    waiting: 0,
  },
  { facts: [{ type: "lost" }], status: "initiated", held: 100, available: 0, returned: 0, mismatches: 1, waiting: 0 },
];
