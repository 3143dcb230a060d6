import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient, type InfiniteData } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { callApi, type Answered, type Call, type DataOf, type ItemOf } from "../../data/calls.ts";
import type { OperationId } from "../../data/operation-row.ts";
import { isLeafedThrough, isLiveList, keyOf } from "../../data/live-lists.ts";
import { afterAttemptMs, askingEvery, netMs } from "../../data/pace.ts";
import { largestPage, wholeOf } from "../../data/whole-list.ts";
import { useTopic } from "./use-following.ts";

/**
 * What an operation answers, kept fresh while the tab is looked at: asked again when something happens that concerns
 * it, and every minute. `everyMs`: of what changes without an event, such as a tile (`tileMs`), or a delivery, by
 * what was answered (`afterAttemptMs`); 0 is never. `isChoice`: what a dialog offers is asked for as it opens, for
 * what was made a moment ago is what somebody wants to choose. `isWhole`: of a list all pages, as `wholeOf` has it; a
 * long one is not asked for again by itself. `freshMs`: how long an answer serves whoever asks next.
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
    queryKey: keyOf(call, isWhole ? "whole" : "one"),
    queryFn: ({ signal }): Promise<Answered<Id>> =>
      isWhole
        ? wholeOf((page) => callApi({ ...call, query: { ...call.query, ...page } }, { signal }))
        : callApi(call, { signal }),
    enabled: isWanted,
    ...(freshMs !== undefined && { staleTime: freshMs }),
    refetchOnMount: isChoice ? "always" : true,
    // The dialog, which says what failed, comes later than this: by then it may have failed already.
    ...(isChoice && { notifyOnChangeProps: "all" }),
    refetchInterval: askingEvery<Answered<Id>>((answer) =>
      typeof everyMs === "number" ? everyMs : answer === undefined ? netMs : everyMs(answer.data),
    ),
    placeholderData: keepPreviousData,
  });
}

const pagesAtOnce = 10;

/**
 * A list, page after page. Of events, deliveries and requests what is new waits in `news`, so that no row moves under
 * the reader; what they show of a row is as it is now all the same.
 */
export function usePages<Id extends OperationId>(call: Call<Id>) {
  const isLive = isLiveList(call.operationId);
  const queryKey = keyOf(call, "pages");
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }): Promise<Answered<Id>> =>
      callApi(
        {
          ...call,
          query: { ...call.query, ...(pageParam !== null && { cursor: pageParam, limit: largestPage }) },
        },
        { signal },
      ),
    // The first page has no cursor; those after it have.
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => (meta.hasMore ? meta.nextCursor : null),
    // One that is long is of when it was read, until somebody says otherwise.
    staleTime: ({ state }) => (isLeafedThrough(state.data) ? "static" : freshMs),
    refetchOnWindowFocus: !isLive,
    refetchInterval: askingEvery(() => netMs, { onlyFailing: isLive }),
    placeholderData: keepPreviousData,
  });
  const isLong = isLeafedThrough(query.data);
  const queries = useQueryClient();
  const { latest, news, peek } = usePeek(call, query);
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
    dataUpdatedAt: Math.max(query.dataUpdatedAt, peek.dataUpdatedAt),
    refetch: () => Promise.all([query.refetch(), ...(isLive ? [peek.refetch()] : [])]),
    isLeafedThrough: isLong,
    /** One page, and of a list that is long already a thousand rows. */
    fetchMore,
    /** From its first page. */
    startAgain: () => queries.resetQueries({ queryKey, exact: true }),
  };
}

/** As for every answer (main.tsx). */
const freshMs = 5_000;

/** What came to a list since it was read. */
export type News = {
  /** How many the first page of it has; `isMore`: there are more. */
  count: number;
  isMore: boolean;
  /** Puts them on top. */
  show(): void;
};

type Listed = { id: string };
const nothing: readonly Listed[] = [];
type Read<Id extends OperationId> = { data: InfiniteData<Answered<Id>> | undefined; isPlaceholderData: boolean };

/**
 * For a list whose rows must not move under its reader: its first page is asked again when something happens, beside
 * what is shown. `latest` are the items as they are now, the same ones in the same order.
 */
function usePeek<Id extends OperationId>(call: Call<Id>, { data, isPlaceholderData }: Read<Id>) {
  const { operationId } = call;
  const queries = useQueryClient();
  const isLive = isLiveList(operationId);
  const isReady = isLive && data !== undefined && !isPlaceholderData;
  useTopic(operationId === "listRequestLogs" ? "requests" : "events", isLive);
  const pagesKey = keyOf(call, "pages");
  const peek = useQuery({
    queryKey: keyOf(call, "peek"),
    queryFn: ({ signal }): Promise<Answered<Id>> => callApi(call, { signal }),
    enabled: isReady,
    // The list was just read.
    initialData: () => queries.getQueryData<InfiniteData<Answered<Id>>>(pagesKey)?.pages[0],
    initialDataUpdatedAt: () => queries.getQueryState(pagesKey)?.dataUpdatedAt,
    refetchInterval: askingEvery((answer) =>
      // Only deliveries have a next attempt.
      operationId === "listDeliveries" ? afterAttemptMs((answer?.data ?? []) as readonly Attempted[]) : netMs,
    ),
  });
  // The operation is a list, so what it answers is an array of its items; each item of one that grows has an id.
  const items = useMemo(() => (data?.pages ?? []).flatMap((page) => page.data as readonly ItemOf<Id>[]), [data]);
  // As above.
  const found = ((isReady && peek.data?.data) || nothing) as readonly Listed[];
  // As above.
  const { latest, fresh } = useMemo(() => compare(items as readonly Listed[], found), [items, found]);
  const show = (): void => {
    queries.setQueryData(pagesKey, peek.data && { pages: [peek.data], pageParams: [null] });
  };
  const isEmpty = items.length === 0 && found.length > 0;
  useEffect(() => {
    // There is nothing that could move.
    if (isEmpty) {
      show();
    }
  });
  const news: News = { count: fresh.length, isMore: fresh.length > 0 && fresh.length === found.length, show };
  // The same items, or as they are now.
  return { news, latest: latest as readonly unknown[] as readonly ItemOf<Id>[], peek };
}

type Attempted = { nextAttemptAt: string | null };

/** An id is made before its row can be seen, so one that is new may stand below the first. */
function compare(shown: readonly Listed[], found: readonly Listed[]) {
  const now = new Map(found.map((item) => [item.id, item]));
  const ids = new Set(shown.map(({ id }) => id));
  const last = shown.at(-1)?.id ?? "";
  return {
    latest: shown.map((item) => now.get(item.id) ?? item),
    fresh: found.filter(({ id }) => !ids.has(id) && id > last),
  };
}
