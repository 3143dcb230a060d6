import type { Call } from "./calls.ts";

/** The objects that wait in each queue, up to one page. All parts of the page share one call. */
export const waitingApprovals = {
  operationId: "listApprovals",
  query: { status: "requested", limit: 100 },
} as const satisfies Call;

export const waitingVerifications = {
  operationId: "listKycVerifications",
  query: { status: "review_required", limit: 100 },
} as const satisfies Call;

/** The number of events that wait for a webhook, counted up to 10,000. */
export function countOfHeld(held: number): string {
  return held >= 10_000 ? "10,000 or more" : held.toLocaleString("en");
}
