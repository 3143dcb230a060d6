import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
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

/** A list, page after page. */
export function usePages<Id extends OperationId>(call: Call<Id>) {
  const query = useInfiniteQuery({
    queryKey: ["api", call.operationId, "pages", call.query],
    queryFn: ({ signal, pageParam }): Promise<Answered<Id>> =>
      callApi({ ...call, query: { ...call.query, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => (meta.hasMore ? (meta.nextCursor ?? undefined) : undefined),
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  });
  // The operation is a list, so what it answers is an array of its items.
  const items = (query.data?.pages ?? []).flatMap(({ data }) => data as readonly ItemOf<Id>[]);
  return { ...query, items };
}
