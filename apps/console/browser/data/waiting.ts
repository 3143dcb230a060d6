import type { Call } from "./calls.ts";

/** What waits in each queue, up to a page of it: one call for all who ask. */
export const waitingApprovals = {
  operationId: "listApprovals",
  query: { status: "requested", limit: 100 },
} as const satisfies Call;

export const waitingVerifications = {
  operationId: "listKycVerifications",
  query: { status: "review_required", limit: 100 },
} as const satisfies Call;

/** Of the events that wait for a webhook: they are counted up to 10,000. */
export function countOfHeld(held: number): string {
  return held >= 10_000 ? "10,000 or more" : held.toLocaleString("en");
}
