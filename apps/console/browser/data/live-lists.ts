import type { Call } from "./calls.ts";
import type { OperationId } from "./operation-row.ts";
import { largestPage } from "./whole-list.ts";

const liveLists: readonly string[] = ["listEvents", "listRequestLogs", "listDeliveries"] satisfies OperationId[];

/** Whether a list grows while it is read. New rows wait, so that no row moves while a person reads. */
export function isLiveList(operationId: string): boolean {
  return liveLists.includes(operationId);
}

/**
 * The cache key of a response: `one` as received, the `pages` of a list as they were read, or the `whole` of a list.
 */
export function keyOf({ operationId, path, query }: Call, kind: "one" | "pages" | "whole"): unknown[] {
  return ["api", operationId, kind, path, query];
}

/** More pages than these would use up the rate limit of all people of the account. */
const mostPagesAgain = 4;

/** Whether a list is so long that it is loaded again only at the user's request. */
export function isLeafedThrough(data: unknown): boolean {
  // A list has one of these fields. Other data lacks `pages`, and its `data` is not an array.
  const { pages, data: whole } = (data ?? {}) as { pages?: readonly unknown[]; data?: unknown };
  return (pages?.length ?? (Array.isArray(whole) ? whole.length / largestPage : 0)) > mostPagesAgain;
}

type Kept = { queryKey: readonly unknown[]; state: { data: unknown } };

/**
 * Selects the responses that an event or an action made outdated. The first page of a live list is one, its pages are
 * not.
 */
export function isOld(isConcerned: (operationId: string) => boolean) {
  return ({ queryKey: [root, operationId, kind], state }: Kept): boolean =>
    root === "api" &&
    isConcerned(String(operationId)) &&
    (kind !== "pages" || !isLiveList(String(operationId))) &&
    !isLeafedThrough(state.data);
}
