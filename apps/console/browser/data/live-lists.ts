import type { Call } from "./calls.ts";
import type { OperationId } from "./operation-row.ts";
import { largestPage } from "./whole-list.ts";

/** Lists that grow while they are read: what is new waits, so that no row moves under the reader. */
const liveLists: readonly OperationId[] = ["listEvents", "listRequestLogs", "listDeliveries"];

export function isLiveList(operationId: OperationId): boolean {
  return liveLists.includes(operationId);
}

/** Under which the pages of a list are kept. */
export function pagesKey({ operationId, query }: Call): unknown[] {
  return ["api", operationId, "pages", query];
}

/** Under which the first page is kept as it is now: it is asked again for news, and the list is not. */
export function peekKey({ operationId, query }: Call): unknown[] {
  return ["api", operationId, "peek", query];
}

/** Under which the whole of a list is kept. */
export function wholeKey({ operationId, query }: Call): unknown[] {
  return ["api", operationId, "whole", query];
}

/** Whether news are to be asked for: of lists that grow, only whether there is something new. */
export function isRefreshed(
  [root, operationId, kind]: readonly unknown[],
  isConcerned: (operationId: string) => boolean,
): boolean {
  // The keys are those above and that of `useCall`.
  return (
    root === "api" && isConcerned(String(operationId)) && (kind !== "pages" || !isLiveList(operationId as OperationId))
  );
}

/** Asking for more pages than these again would use up what all people of the account may read. */
const mostPagesAgain = 4;

/** Whether a list is so long that it is asked for again when a person says so, and not by itself. */
export function isLeafedThrough(data: unknown): boolean {
  const { pages, data: whole } = (data ?? {}) as { pages?: readonly unknown[]; data?: unknown };
  return (pages?.length ?? (Array.isArray(whole) ? whole.length / largestPage : 0)) > mostPagesAgain;
}
