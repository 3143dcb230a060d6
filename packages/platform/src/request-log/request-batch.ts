import type { LostRequests } from "./logged-request.ts";
import type { PackedRequests } from "./packed-requests.ts";

/** Requests written in one transaction. The numbers of a writer's batches rise. */
export type RequestBatch = {
  writerId: string;
  number: number;
  /** When it was taken out of memory. Requests that began before `completeBeforeMs` are in it or in an earlier one. */
  takenAtMs: number;
  completeBeforeMs: number;
  requests: PackedRequests;
  lost: readonly LostRequests[];
};
