import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { callApi, type Answered, type Call, type DataOf, type ItemOf } from "../../data/calls.ts";
import type { OperationId } from "../../data/operation-row.ts";
import { isLeafedThrough, isLiveList, keyOf } from "../../data/live-lists.ts";
import { afterAttemptMs, askingEvery, netMs } from "../../data/pace.ts";
import { largestPage, wholeOf } from "../../data/whole-list.ts";
import { useTopic } from "./use-topic.ts";

/**
 * The answer of an operation, kept fresh while the tab is looked at: asked again when something happens that concerns
 * it, and every minute. `everyMs`: how often, where no event tells of a change; 0 is never. `isChoice`: asked as its
 * dialog opens, because people choose what they made a moment ago. `isWhole`: all pages of a list (`wholeOf`).
 * `freshMs`: how long an answer serves the next caller.
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

type Listed<Id extends OperationId> = ItemOf<Id> & { id: string };
const nothing: readonly never[] = [];

/** The rows that came to a list since it was read: how many of them its first page has. */
export type News = { count: number; isMore: boolean; show(): void };

/**
 * A list, page after page. Of events, deliveries and requests new rows wait in `news`, so that no row moves under the
 * reader: the first page is asked for again beside the list, and shows its rows as they are now.
 */
export function usePages<Id extends OperationId>(call: Call<Id>) {
  const { operationId } = call;
  const isLive = isLiveList(operationId);
  const queries = useQueryClient();
  const queryKey = keyOf(call, "pages");
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: async ({ signal, pageParam }): Promise<Answered<Id>> => {
      const page = pageParam === null ? {} : { cursor: pageParam, limit: largestPage };
      const answer = await callApi({ ...call, query: { ...call.query, ...page } }, { signal });
      if (isLive && pageParam === null) {
        queries.setQueryData(keyOf(call, "one"), answer);
      }
      return answer;
    },
    // The first page has no cursor; those after it have.
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => (meta.hasMore ? meta.nextCursor : null),
    // A long list stays as it was read until somebody asks for it again.
    staleTime: ({ state }) => (isLeafedThrough(state.data) ? "static" : freshMs),
    refetchOnWindowFocus: !isLive,
    refetchInterval: askingEvery(() => netMs, { onlyFailing: isLive }),
    placeholderData: keepPreviousData,
  });
  const { data } = pages;
  useTopic("requests", operationId === "listRequestLogs");
  const isReady = isLive && data !== undefined && !pages.isPlaceholderData;
  // Only deliveries have a next attempt.
  const everyMs =
    operationId === "listDeliveries" ? (rows: unknown) => afterAttemptMs(rows as DataOf<"listDeliveries">) : netMs;
  const first = useCall(call, { isWanted: isReady, everyMs });
  // A list answers an array, and each item of a live one has an id.
  const items = useMemo(() => (data?.pages ?? []).flatMap((page) => page.data as readonly Listed<Id>[]), [data]);
  // The first page is an array of the same items.
  const found = ((isReady && first.data?.data) || nothing) as readonly Listed<Id>[];
  const { latest, fresh } = useMemo(() => compare(items, found), [items, found]);
  const show = (): void => {
    queries.setQueryData(queryKey, first.data && { pages: [first.data], pageParams: [null] });
  };
  const isEmpty = items.length === 0 && found.length > 0;
  // An empty list shows new rows at once, because no row can move.
  useEffect(() => (isEmpty ? show() : undefined));
  const isLong = isLeafedThrough(data);
  /** Fetches one page, and of a list that is long already a thousand rows. */
  const fetchMore = async (): Promise<void> => {
    for (let page = 0, isWanted = true; isWanted && page < (isLong ? pagesAtOnce : 1); page += 1) {
      const { hasNextPage, isError } = await pages.fetchNextPage();
      isWanted = hasNextPage && !isError;
    }
  };
  const error = pages.error ?? first.error;
  const news: News = { count: fresh.length, isMore: fresh.length > 0 && fresh.length === found.length, show };
  return {
    ...{ ...pages, items: latest, news, error, isError: error !== null, isLeafedThrough: isLong, fetchMore },
    isPaused: pages.isPaused || first.isPaused,
    dataUpdatedAt: Math.max(pages.dataUpdatedAt, first.dataUpdatedAt),
    refetch: () => Promise.all([pages.refetch(), ...(isLive ? [first.refetch()] : [])]),
    startAgain: () => queries.resetQueries({ queryKey, exact: true }),
  };
}

/** As for every answer (main.tsx). */
const freshMs = 5_000;

/** An id is made before its row can be seen, so one that is new may stand below the first. */
function compare<Item extends { id: string }>(shown: readonly Item[], found: readonly Item[]) {
  const now = new Map(found.map((item) => [item.id, item]));
  const ids = new Set(shown.map(({ id }) => id));
  const last = shown.at(-1)?.id ?? "";
  return {
    latest: shown.map((item) => now.get(item.id) ?? item),
    fresh: found.filter(({ id }) => !ids.has(id) && id > last),
  };
}
