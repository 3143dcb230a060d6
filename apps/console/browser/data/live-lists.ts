import type { Call } from "./calls.ts";
import type { OperationId } from "./operation-row.ts";
import { largestPage } from "./whole-list.ts";

const liveLists: readonly string[] = ["listEvents", "listRequestLogs", "listDeliveries"] satisfies OperationId[];

/** Whether a list grows while it is read: new rows wait, so that no row moves under the reader. */
export function isLiveList(operationId: string): boolean {
  return liveLists.includes(operationId);
}

/** The key of an answer: `one` as it came, the `pages` of a list as they were read, or the `whole` of it. */
export function keyOf({ operationId, path, query }: Call, kind: "one" | "pages" | "whole"): unknown[] {
  return ["api", operationId, kind, path, query];
}

/** More pages than these would use up what all people of the account may read. */
const mostPagesAgain = 4;

/** Whether a list is so long that it is asked for again only when a person says so. */
export function isLeafedThrough(data: unknown): boolean {
  // A list has one of these fields. Other data lacks `pages`, and its `data` is not an array.
  const { pages, data: whole } = (data ?? {}) as { pages?: readonly unknown[]; data?: unknown };
  return (pages?.length ?? (Array.isArray(whole) ? whole.length / largestPage : 0)) > mostPagesAgain;
}

type Kept = { queryKey: readonly unknown[]; state: { data: unknown } };

/** Selects the answers that an event or an action made old. A live list is not: its first page is. */
export function isOld(isConcerned: (operationId: string) => boolean) {
  return ({ queryKey: [root, operationId, kind], state }: Kept): boolean =>
    root === "api" &&
    isConcerned(String(operationId)) &&
    (kind !== "pages" || !isLiveList(String(operationId))) &&
    !isLeafedThrough(state.data);
}
