import { openapi, type Schemas } from "@gateway/contract";
import { allSteps } from "./steps/all-steps.ts";

/** The states that some resource must have after a sequence. */
const states: Readonly<Record<string, readonly string[]>> = {
  wallet: ["active", "frozen", "closed"],
  payment: ["initiated", "settled", "canceled", "insufficient_funds", "compliance_block", "rail_refused", "expired"],
  transfer: ["initiated", "broadcast", "completed", "canceled", "network_refused", "network_dropped"],
  approval: ["requested", "approved", "rejected", "expired", "canceled", "not needed"],
  order: ["accepted", "open", "partially_filled", "filled", "canceled", "expired", "replaced", "rejected"],
};

/** Deposits come from a chain, which only the storm has. The steps book each other kind of ledger transaction. */
const notBooked: readonly string[] = ["deposit"] satisfies Schemas["LedgerTransactionKind"][];
const { enum: documented = [] }: { enum?: string[] } = openapi().components["schemas"]?.["LedgerTransactionKind"] ?? {};
const kinds = documented.filter((kind) => !notBooked.includes(kind));

/** Everything that must happen in a run. A run without some of it would show less than it claims. */
export const mustHappen: readonly string[] = [
  ...allSteps.flatMap((step) => step.mustHappen),
  ...kinds.map((kind) => `booked ${kind}`),
  ...Object.entries(states).flatMap(([thing, those]) => those.map((state) => `${thing} ${state}`)),
];
