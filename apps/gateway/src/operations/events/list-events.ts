import { refuseBesideFollowing } from "@gateway/engine/follow";
import { eventsRecordedChannel } from "@gateway/engine/following";
import type { OperationHandler } from "../operation.ts";

/** Newest first, page by page. With `after` or `waitSeconds`, the events after a place, oldest first. */
export const listEvents: OperationHandler<"listEvents"> = async ({ input, principal, deps, waiting }) => {
  const { limit, cursor, after, waitSeconds, ...filter } = input.query;
  const { accountId } = principal;
  if (after === undefined && waitSeconds === undefined) {
    // Read before the page, so that an event recorded in between is returned twice rather than not at all.
    const place = cursor === undefined ? await deps.events.placeNow({ accountId }) : null;
    const { items, nextCursor } = await deps.events.list({ accountId, ...filter, limit, cursor });
    return { status: 200, data: items, meta: { hasMore: nextCursor !== null, nextCursor, after: place } };
  }
  refuseBesideFollowing({ ...filter, cursor }, after === undefined ? "waitSeconds" : "after");
  const page = await waiting.until({
    channel: eventsRecordedChannel,
    seconds: waitSeconds ?? 0,
    read: () => deps.events.follow({ accountId, limit, after }),
    isEnough: ({ items }) => items.length > 0,
  });
  return {
    status: 200,
    data: page.items,
    meta: { hasMore: page.hasMore, nextCursor: null, after: page.after },
  };
};
