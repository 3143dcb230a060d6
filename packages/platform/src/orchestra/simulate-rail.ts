import type { OrchestraDeps } from "./payment.ts";
import { Problem } from "@gateway/contract";
import type { Transaction } from "@gateway/database";
import type { RailFact } from "@gateway/ports";
import { lockPayment, paymentOf, type Payment, type PaymentOutcome } from "./payment.ts";
import type { OrchestraTables } from "./tables.ts";

/** Fact ids of a simulated rail. A simulated outcome has the id of the planned fact, and so replaces it. */
export const railFactIds = {
  outcome: (paymentId: string) => `outcome ${paymentId}`,
  returned: (paymentId: string) => `returned ${paymentId}`,
};

export async function simulateRail(
  trx: Transaction<OrchestraTables>,
  { recordAudit, work }: OrchestraDeps,
  { id, accountId, outcome }: { id: string; accountId: string; outcome: PaymentOutcome },
): Promise<Payment | null> {
  const factIds = { outcome: railFactIds.outcome(id), returned: railFactIds.returned(id) };
  await work.plannedFacts.hold({ accountId, port: "rail", factIds: Object.values(factIds) });
  const row = await lockPayment(trx, { id, accountId });
  if (!row) {
    return null;
  }
  const fact = factOf(paymentOf(row), outcome);
  const factId = factIds[outcome === "returned" ? "returned" : "outcome"];
  if (outcome === "failed") {
    await work.plannedFacts.forget({ accountId, port: "rail", factId: factIds.returned });
  }
  const receipt = await work.plannedFacts.tellInstead({ port: "rail", factId, accountId, fact });
  if (receipt !== "applied") {
    throw new Problem("INVALID_STATE", `The payment ${id} is ${row.status}, and it cannot be ${outcome} as it is now.`);
  }
  await recordAudit(trx, { accountId, type: "payment.simulated", resourceId: id, after: { outcome } });
  const after = await lockPayment(trx, { id, accountId });
  return after ? paymentOf(after) : null;
}

function factOf({ id: paymentId, amountMinor, returnedMinor }: Payment, outcome: PaymentOutcome): RailFact {
  switch (outcome) {
    case "settled":
      return { type: "settled", paymentId, amountMinor };
    case "failed":
      return { type: "refused", paymentId, code: "rail_refused" };
    case "returned":
      return { type: "returned", paymentId, amountMinor: amountMinor - returnedMinor };
  }
}
