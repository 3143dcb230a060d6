import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { callApi, type Answered, type Call, type DataOf, type ItemOf, type OperationId } from "../../data/calls.ts";
import { isLeafedThrough, isLiveList, keyOf, isOld, largestPage, wholeOf } from "../../data/live-lists.ts";
import { afterAttemptMs, askingEvery, netMs } from "../../data/pace.ts";
import { concerns, type Topic } from "../../data/concerns.ts";
import { follow, type Told } from "../../data/follow.ts";
import { endSession, sessionQuery } from "../../data/session.ts";
import { useSession } from "../page/session-context.tsx";

/**
 * The response of an operation, kept fresh while the tab is visible. It is requested again after related events, and
 * every minute.
 *
 * - `everyMs`: the interval for changes without an event; 0 is never.
 * - `isChoice`: requested when its dialog opens, because people choose objects that they created a moment ago.
 * - `isWhole`: all pages of a list (`wholeOf`).
 * - `freshMs`: how long a response serves the next caller.
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
    // The dialog, which shows failures, renders later. The request may already have failed by then.
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

/** The rows added to a list since it was read: their number on its first page. */
export type News = { count: number; isMore: boolean; show(): void };

/**
 * A list, page after page. New events, deliveries and requests wait in `news`, so that no row moves while a person
 * reads. The first page is requested again separately, and updates the rows shown.
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
    // A long list stays as it was read until the user loads it again.
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
  // The response of a list is an array, and each item of a live one has an id.
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
  /** Fetches one page, or a thousand rows of a list that is already long. */
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

/** The same as for every response (main.tsx). */
const freshMs = 5_000;

/** An id is created before its row can be seen, so a new row may be below the first. */
function compare<Item extends { id: string }>(shown: readonly Item[], found: readonly Item[]) {
  const now = new Map(found.map((item) => [item.id, item]));
  const ids = new Set(shown.map(({ id }) => id));
  const last = shown.at(-1)?.id ?? "";
  return {
    latest: shown.map((item) => now.get(item.id) ?? item),
    fresh: found.filter(({ id }) => !ids.has(id) && id > last),
  };
}

/**
 * Reads the responses again that a topic made outdated, while this part is on the page. A hidden tab waits until it is
 * visible.
 */
export function useTopic(topic: Topic, isWanted = true): void {
  const queries = useQueryClient();
  const accountId = useSession().account.id;
  useEffect(() => {
    const hear = ({ kind, types = [] }: Told): void => {
      const refetchType = document.hidden ? "none" : "active";
      if (kind === "over") {
        endSession(queries);
      } else if (kind === "doubt") {
        void queries.invalidateQueries({ queryKey: sessionQuery.queryKey, refetchType });
      } else if (kind !== "none") {
        const predicate = isOld(kind === "back" ? () => true : concerns({ topic, types }));
        void queries.invalidateQueries({ predicate, refetchType });
      }
    };
    return isWanted ? follow({ accountId, topic, hear }) : undefined;
  }, [queries, accountId, topic, isWanted]);
}

/** How far this account's clock goes before the machine's, in ms: deadlines in the sandbox count by that clock. */
export function useAheadMs(): number {
  const { environment } = useSession();
  const clock = useCall({ operationId: "getSandboxClock" }, { isWanted: environment === "sandbox" });
  return (clock.data?.data.aheadSeconds ?? 0) * 1000;
}
