import type { Moves } from "@gateway/engine/move";
import type { DepositFact } from "@gateway/ports";
import type { DepositsTable } from "./tables.ts";

export type KnownDeposit = {
  status: DepositsTable["status"];
  address: string;
  currency: string;
  amount: number;
  requiredConfirmations: number;
  factSequence: number;
};

/** `taken`: the fact is the latest, and it causes these transitions in this order. The list may be empty. */
export type DepositDecision =
  | { kind: "taken"; transitions: readonly Moves<"CustodyDeposit">[] }
  | { kind: "superseded" | "mismatched" };

const transitionsOf = {
  detected: { seen: [], confirmed: ["confirm"], dropped: ["orphan"] },
  orphaned: { seen: ["detectAgain"], confirmed: ["detectAgain", "confirm"], dropped: [] },
} as const satisfies Record<
  Exclude<KnownDeposit["status"], "confirmed">,
  Record<DepositFact["type"], readonly Moves<"CustodyDeposit">[]>
>;

/** The greatest sequence counts. A confirmed deposit can be spent, so no fact reverses it, and a person has to look. */
export function decideDeposit(deposit: KnownDeposit, fact: DepositFact): DepositDecision {
  if (isOther(deposit, fact) || isEarly(deposit, fact)) {
    return { kind: "mismatched" };
  }
  if (fact.sequence < deposit.factSequence) {
    return { kind: "superseded" };
  }
  if (deposit.status === "confirmed") {
    return { kind: fact.type === "dropped" ? "mismatched" : "superseded" };
  }
  return { kind: "taken", transitions: transitionsOf[deposit.status][fact.type] };
}

function isOther(deposit: KnownDeposit, { address, currency, amountMinor }: DepositFact): boolean {
  return deposit.address !== address || deposit.currency !== currency || deposit.amount !== amountMinor;
}

/** A confirmation with fewer blocks than the network needs is a mistake of its sender. */
export function isEarly(
  { requiredConfirmations }: Pick<KnownDeposit, "requiredConfirmations">,
  { type, confirmations }: DepositFact,
): boolean {
  return type === "confirmed" && confirmations < requiredConfirmations;
}
