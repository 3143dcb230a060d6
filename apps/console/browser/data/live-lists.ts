import type { Call } from "./calls.ts";
import type { OperationId } from "./operation-row.ts";
import { largestPage } from "./whole-list.ts";

/** Lists that grow while they are read: what is new waits, so that no row moves under the reader. */
const liveLists: readonly string[] = ["listEvents", "listRequestLogs", "listDeliveries"] satisfies OperationId[];

export function isLiveList(operationId: string): boolean {
  return liveLists.includes(operationId);
}

/**
 * Under what an answer is kept: `one` answer as it came, the `pages` of a list as they were read, its first page as
 * it is now (`peek`), or the `whole` of it.
 */
export function keyOf({ operationId, path, query }: Call, kind: "one" | "pages" | "peek" | "whole"): unknown[] {
  return ["api", operationId, kind, path, query];
}

/** Asking for more pages than these again would use up what all people of the account may read. */
const mostPagesAgain = 4;

/** Whether a list is so long that it is asked for again when a person says so, and not by itself. */
export function isLeafedThrough(data: unknown): boolean {
  const { pages, data: whole } = (data ?? {}) as { pages?: readonly unknown[]; data?: unknown };
  return (pages?.length ?? (Array.isArray(whole) ? whole.length / largestPage : 0)) > mostPagesAgain;
}

type Kept = { queryKey: readonly unknown[]; state: { data: unknown } };

/**
 * The answers that are old since something happened or was done, which says so of an operation. A list that grows is
 * not: its first page is.
 */
export function isOld(isConcerned: (operationId: string) => boolean) {
  return ({ queryKey: [root, operationId, kind], state }: Kept): boolean =>
    root === "api" &&
    isConcerned(String(operationId)) &&
    (kind !== "pages" || !isLiveList(String(operationId))) &&
    !isLeafedThrough(state.data);
}
