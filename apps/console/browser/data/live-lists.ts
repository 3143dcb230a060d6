import type { Call, OperationId } from "./calls.ts";

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

/** The most that a page holds: what is wanted whole is asked for in pages of these. */
export const largestPage = 100;

const mostPages = 10;

/** How a list whole is called where there are more. */
export const theLatest = `the latest ${(largestPage * mostPages).toLocaleString("en")}`;

type Page = { data: unknown; meta: { hasMore?: boolean; nextCursor?: string | null } };

/** A whole list, up to its latest 1,000 items; `meta.hasMore` beyond. Each page is a read. */
export async function wholeOf<Answer extends Page>(
  ask: (page: { limit: number; cursor: string | undefined }) => Promise<Answer>,
): Promise<Answer> {
  const items: unknown[] = [];
  for (let cursor: string | undefined, page = 1; ; page += 1) {
    const answer = await ask({ limit: largestPage, cursor });
    // The operation is a list, so what it answers is an array of its items.
    items.push(...(answer.data as readonly unknown[]));
    if (!answer.meta.hasMore || page === mostPages) {
      return { ...answer, data: items };
    }
    cursor = answer.meta.nextCursor ?? undefined;
  }
}
