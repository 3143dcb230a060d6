import type { LostRequests } from "./logged-request.ts";
import type { PackedRequests } from "./packed-requests.ts";

/** What is written in one transaction. Batches of one writer have numbers that rise. */
export type RequestBatch = {
  writerId: string;
  number: number;
  /** When it was taken out of memory; all that began before `completeBeforeMs` is in it or in one before. */
  takenAtMs: number;
  completeBeforeMs: number;
  requests: PackedRequests;
  lost: readonly LostRequests[];
};
