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
