import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { callApi, type Answered, type Call, type DataOf, type ItemOf } from "../../data/calls.ts";
import type { OperationId } from "../../data/operation-row.ts";
import { isLeafedThrough, isLiveList, pagesKey, wholeKey } from "../../data/live-lists.ts";
import { netMs, nextAskMs } from "../../data/pace.ts";
import { largestPage, wholeOf } from "../../data/whole-list.ts";
import { useNews } from "./use-news.ts";

/**
 * What an operation answers, kept fresh while the tab is looked at: asked again when something happens that concerns it, and every minute. `everyMs`: of
 * what changes without an event, such as a tile (`tileMs`), or a delivery, by what was answered (`afterAttemptMs`); 0 is never. `isChoice`: what a dialog
 * offers is asked for as it opens, for what was made a moment ago is what somebody wants to choose. `isWhole`: of a list all pages, as `wholeOf` has it;
 * a long one is not asked for again by itself. `freshMs`: how long an answer serves whoever asks next.
 */
export function useCall<Id extends OperationId>(
  call: Call<Id>,
  options: {
    isWanted?: boolean;
    isChoice?: boolean;
    isWhole?: boolean;
    everyMs?: number | ((data: DataOf<Id>) => number);
    freshMs?: number;
  } = {},
) {
  const { isWanted = true, isChoice = false, isWhole = false, everyMs = netMs, freshMs } = options;
  return useQuery({
    queryKey: isWhole ? wholeKey(call) : ["api", call.operationId, call.path, call.query],
    queryFn: ({ signal }): Promise<Answered<Id>> =>
      isWhole
        ? wholeOf((page) => callApi({ ...call, query: { ...call.query, ...page } }, { signal }))
        : callApi(call, { signal }),
    enabled: isWanted,
    ...(freshMs !== undefined && { staleTime: freshMs }),
    refetchOnMount: isChoice ? "always" : true,
    // The dialog, which says what failed, comes later than this: by then it may have failed already.
    ...(isChoice && { notifyOnChangeProps: "all" }),
    refetchInterval: ({ state: { data, status } }) => {
      const ownMs = typeof everyMs === "number" ? everyMs : data === undefined ? netMs : everyMs(data.data);
      return ownMs > 0 && !isLeafedThrough(data) && nextAskMs(ownMs, { isFailing: status === "error" });
    },
    placeholderData: keepPreviousData,
  });
}

const pagesAtOnce = 10;

/**
 * A list, page after page. Of events, deliveries and requests what is new waits in `news`, so that no row moves under the reader; what they show of a row is
 * as it is now all the same.
 */
export function usePages<Id extends OperationId>(call: Call<Id>) {
  const isLive = isLiveList(call.operationId);
  const queryKey = pagesKey(call);
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }): Promise<Answered<Id>> =>
      callApi(
        {
          ...call,
          query: { ...call.query, ...(pageParam !== undefined && { cursor: pageParam, limit: largestPage }) },
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => (meta.hasMore ? (meta.nextCursor ?? undefined) : undefined),
    refetchInterval: ({ state: { status, data } }) =>
      isLeafedThrough(data) || (isLive && status !== "error")
        ? false
        : nextAskMs(netMs, { isFailing: status === "error" }),
    refetchOnWindowFocus: ({ state }) => !isLive && !isLeafedThrough(state.data),
    refetchOnReconnect: ({ state }) => !isLeafedThrough(state.data),
    refetchOnMount: ({ state }) => !isLeafedThrough(state.data),
    placeholderData: keepPreviousData,
  });
  const pages = query.data?.pages;
  const isLong = isLeafedThrough(query.data);
  const queries = useQueryClient();
  // The operation is a list, so what it answers is an array of its items.
  const items = useMemo(() => (pages ?? []).flatMap(({ data }) => data as readonly ItemOf<Id>[]), [pages]);
  const { latest, news, ...peek } = useNews(call, {
    items,
    isReady: query.data !== undefined && !query.isPlaceholderData,
  });
  const fetchMore = async (): Promise<void> => {
    for (let page = 0, isWanted = true; isWanted && page < (isLong ? pagesAtOnce : 1); page += 1) {
      const { hasNextPage, isError } = await query.fetchNextPage();
      isWanted = hasNextPage && !isError;
    }
  };
  const error = query.error ?? peek.error;
  return {
    ...query,
    items: latest,
    news,
    error,
    isError: error !== null,
    isPaused: query.isPaused || peek.isPaused,
    dataUpdatedAt: Math.max(query.dataUpdatedAt, peek.updatedAt),
    refetch: () => Promise.all([query.refetch(), ...(isLive ? [peek.look()] : [])]),
    isLeafedThrough: isLong,
    /** One page, and of a list that is long already a thousand rows. */
    fetchMore,
    /** From its first page. */
    startAgain: () => queries.resetQueries({ queryKey, exact: true }),
  };
}
