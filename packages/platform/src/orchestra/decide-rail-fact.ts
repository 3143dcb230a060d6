import type { FactContent, FactVerdict } from "@gateway/engine/work";
import type { Payment } from "./payment.ts";
import type { PaymentFailureCode } from "./tables.ts";

export type RailDecision =
  | { kind: "settle" }
  | { kind: "fail"; failureCode: PaymentFailureCode }
  | { kind: "return"; amountMinor: number }
  | { kind: "none"; verdict: Exclude<FactVerdict, "applied"> };

const mismatched: RailDecision = { kind: "none", verdict: "mismatched" };
const superseded: RailDecision = { kind: "none", verdict: "superseded" };
const parked: RailDecision = { kind: "none", verdict: "parked" };

/** Works without I/O. Facts may come in any order. One that contradicts the end of the payment moves nothing. */
export function decideRailFact(
  payment: Pick<Payment, "rail" | "status" | "amountMinor" | "returnedMinor"> | null,
  { type, amountMinor, code }: FactContent,
): RailDecision {
  if (payment === null) {
    return parked;
  }
  if (payment.rail === "internal") {
    return mismatched;
  }
  switch (type) {
    case "settled":
      return decideSettled(payment, amountMinor);
    case "refused":
      return decideRefused(payment, code);
    case "returned":
      return decideReturned(payment, amountMinor);
    default:
      return mismatched;
  }
}

type Known = Pick<Payment, "status" | "amountMinor" | "returnedMinor">;

function decideSettled({ status, amountMinor }: Known, told: unknown): RailDecision {
  if (told !== amountMinor || status === "failed") {
    return mismatched;
  }
  return status === "initiated" ? { kind: "settle" } : superseded;
}

function decideRefused({ status }: Known, code: unknown): RailDecision {
  switch (status) {
    case "initiated":
      return { kind: "fail", failureCode: code === "expired" ? "expired" : "rail_refused" };
    case "settled":
      return mismatched;
    case "failed":
      return superseded;
  }
}

function decideReturned({ status, amountMinor, returnedMinor }: Known, told: unknown): RailDecision {
  const isPossible =
    typeof told === "number" && Number.isSafeInteger(told) && told > 0 && told <= amountMinor - returnedMinor;
  if (!isPossible || status === "failed") {
    return mismatched;
  }
  return status === "initiated" ? parked : { kind: "return", amountMinor: told };
}
