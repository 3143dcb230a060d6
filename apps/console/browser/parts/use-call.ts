import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { callApi, type Answered, type Call, type ItemOf } from "../data/calls.ts";
import type { OperationId } from "../data/operation-row.ts";

/** All people of an account share 120 reads a minute: a screen of ten parts that stays open takes a sixth of them. */
const refreshMs = 30_000;

/** What an operation answers, kept fresh while the tab is looked at. */
export function useCall<Id extends OperationId>(
  call: Call<Id>,
  options: { isWanted?: boolean; everyMs?: number } = {},
) {
  return useQuery({
    queryKey: ["api", call.operationId, call.path, call.query],
    queryFn: ({ signal }): Promise<Answered<Id>> => callApi(call, { signal }),
    enabled: options.isWanted ?? true,
    refetchInterval: options.everyMs ?? refreshMs,
    placeholderData: keepPreviousData,
  });
}

/** Of a list that somebody leafs through: its first page is soon there, the others are as large as the API makes them. */
const nextPageSize = 100;

const pagesAtOnce = 10;

/** Asking for more pages than these again would use up what all people of the account may read. */
const mostPagesAgain = 4;

/** Whether a list is so long that it is asked for again when a person says so, and not by itself. */
export function isLeafedThrough(data: unknown): boolean {
  return ((data as { pages?: readonly unknown[] } | undefined)?.pages?.length ?? 0) > mostPagesAgain;
}

/** A list, page after page. */
export function usePages<Id extends OperationId>(call: Call<Id>) {
  const queryKey = ["api", call.operationId, "pages", call.query];
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }): Promise<Answered<Id>> =>
      callApi(
        {
          ...call,
          query: { ...call.query, ...(pageParam !== undefined && { cursor: pageParam, limit: nextPageSize }) },
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => (meta.hasMore ? (meta.nextCursor ?? undefined) : undefined),
    refetchInterval: ({ state }) => (isLeafedThrough(state.data) ? false : refreshMs),
    refetchOnWindowFocus: ({ state }) => !isLeafedThrough(state.data),
    refetchOnReconnect: ({ state }) => !isLeafedThrough(state.data),
    refetchOnMount: ({ state }) => !isLeafedThrough(state.data),
    placeholderData: keepPreviousData,
  });
  const pages = query.data?.pages;
  const isLong = isLeafedThrough(query.data);
  const queries = useQueryClient();
  // The operation is a list, so what it answers is an array of its items.
  const items = useMemo(() => (pages ?? []).flatMap(({ data }) => data as readonly ItemOf<Id>[]), [pages]);
  const fetchMore = async (): Promise<void> => {
    for (let page = 0, isWanted = true; isWanted && page < (isLong ? pagesAtOnce : 1); page += 1) {
      const { hasNextPage, isError } = await query.fetchNextPage();
      isWanted = hasNextPage && !isError;
    }
  };
  return {
    ...query,
    items,
    isLeafedThrough: isLong,
    /** One page, and of a list that is long already a thousand rows. */
    fetchMore,
    /** From its first page. */
    startAgain: () => queries.resetQueries({ queryKey, exact: true }),
  };
}
