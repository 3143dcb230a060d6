import type { OrchestraDeps } from "./payment.ts";
import type { Kysely } from "kysely";
import { createCounterparties } from "./counterparty.ts";
import { createPayments } from "./payments.ts";
import type { OrchestraTables } from "./tables.ts";

export type { Counterparties, Counterparty } from "./counterparty.ts";
export type { Payment, PaymentDestination, PaymentOutcome } from "./payment.ts";
export { paymentWork, railRoute } from "./payment-work.ts";
export type { Payments } from "./payments.ts";
export { presentCounterparty } from "./present-counterparty.ts";
export { presentPayment } from "./present-payment.ts";
export { railFactIds } from "./simulate-rail.ts";
export { silentAfterMs, submittedAfterMs } from "./submit-payment.ts";
export type { OrchestraTables } from "./tables.ts";

export type Orchestra = ReturnType<typeof createOrchestra>;

export function createOrchestra(db: Kysely<OrchestraTables>, deps: OrchestraDeps) {
  return { counterparties: createCounterparties(db, deps), payments: createPayments(db, deps) };
}
