import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideDeposit, type KnownDeposit } from "../../src/custody/decide-deposit.ts";
import type { DepositFact } from "@gateway/ports";

const fact: DepositFact = {
  type: "seen",
  network: "bitcoin",
  transactionHash: "a".repeat(64),
  outputIndex: 0,
  address: "tb1q",
  currency: "BTC",
  amountMinor: 5,
  confirmations: 3,
  sequence: 2,
};
const deposit: KnownDeposit = {
  status: "detected",
  address: "tb1q",
  currency: "BTC",
  amount: 5,
  requiredConfirmations: 3,
  factSequence: 1,
};

test.each([
  ["detected", "seen", []],
  ["detected", "confirmed", ["confirm"]],
  ["detected", "dropped", ["orphan"]],
  ["orphaned", "seen", ["detectAgain"]],
  ["orphaned", "confirmed", ["detectAgain", "confirm"]],
  ["orphaned", "dropped", []],
] as const)("%s, then %s: %j", (status, type, transitions) => {
  expect(decideDeposit({ ...deposit, status }, { ...fact, type })).toEqual({ kind: "taken", transitions });
});

test("what is confirmed is never taken back: that it is dropped is for somebody to look at", () => {
  const confirmed = { ...deposit, status: "confirmed" } as const;
  expect(decideDeposit(confirmed, { ...fact, type: "dropped" })).toEqual({ kind: "mismatched" });
  expect(decideDeposit(confirmed, { ...fact, type: "seen" })).toEqual({ kind: "superseded" });
  expect(decideDeposit(confirmed, { ...fact, type: "dropped", sequence: 0 })).toEqual({ kind: "superseded" });
});

describe("mismatched, whatever the deposit is in", () => {
  test.each([
    { amountMinor: 6 },
    { address: "tb1p" },
    { currency: "ETH" },
    { type: "confirmed", confirmations: 2 },
  ] as Partial<DepositFact>[])("%j", (other) => {
    for (const status of ["detected", "confirmed", "orphaned"] as const) {
      expect(decideDeposit({ ...deposit, status }, { ...fact, ...other })).toEqual({ kind: "mismatched" });
    }
  });
});

test("an overtaken fact changes nothing, in any state", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("detected", "confirmed", "orphaned"),
      fc.constantFrom("seen", "confirmed", "dropped"),
      fc.nat(),
      fc.nat(),
      (status, type, sequence, behind) => {
        const known = { ...deposit, status, factSequence: sequence + behind + 1 };
        expect(decideDeposit(known, { ...fact, type, sequence })).toEqual({ kind: "superseded" });
      },
    ),
  );
});
