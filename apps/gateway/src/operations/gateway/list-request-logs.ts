import { refuseBesideFollowing } from "@gateway/engine/follow";
import { requestsLoggedChannel } from "@gateway/engine/following";
import { viewerOf } from "@gateway/platform/compose/viewer-of";
import { presentRequestLog, presentRequestLogGap } from "@gateway/platform/request-log";
import type { OperationHandler } from "../operation.ts";

/** Newest first, page by page. With `after` or `waitSeconds`, the requests after a place, oldest first. */
export const listRequestLogs: OperationHandler<"listRequestLogs"> = async ({ input, principal, deps, waiting }) => {
  const { limit, cursor, after, waitSeconds, eventId, ...filter } = input.query;
  const viewer = viewerOf(principal);
  if (after === undefined && waitSeconds === undefined) {
    // Read before the page, so that a request logged in between is returned twice rather than not at all.
    const place = cursor === undefined ? await deps.requestLog.placeNow(viewer) : null;
    const id = eventId === undefined ? undefined : await deps.events.requestOf({ ...viewer, id: eventId });
    const page =
      id === null
        ? { items: [], nextCursor: null, gaps: [] }
        : await deps.requestLog.list({ ...viewer, ...filter, id, limit, cursor });
    return {
      status: 200,
      data: page.items.map(presentRequestLog),
      meta: {
        hasMore: page.nextCursor !== null,
        nextCursor: page.nextCursor,
        after: place,
        gaps: page.gaps.map(presentRequestLogGap),
      },
    };
  }
  const { source, ...others } = filter;
  refuseBesideFollowing({ ...others, eventId, cursor }, after === undefined ? "waitSeconds" : "after");
  let place = after;
  const page = await waiting.until({
    channel: requestsLoggedChannel,
    seconds: waitSeconds ?? 0,
    read: async () => {
      const found = await deps.requestLog.follow({ ...viewer, source, limit, after: place });
      // An empty page returns nothing, so the next read can begin after the rows examined here.
      place = found.after;
      return found;
    },
    isEnough: ({ items, hasMore }) => items.length > 0 || hasMore,
  });
  return {
    status: 200,
    data: page.items.map(presentRequestLog),
    meta: { hasMore: page.hasMore, nextCursor: null, after: page.after, gaps: page.gaps.map(presentRequestLogGap) },
  };
};
