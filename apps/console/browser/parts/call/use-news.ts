import { useQuery, useQueryClient, type InfiniteData } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import { callApi, type Answered, type Call, type ItemOf } from "../../data/calls.ts";
import type { OperationId } from "../../data/operation-row.ts";
import { isLiveList, pagesKey, peekKey } from "../../data/live-lists.ts";
import { afterAttemptMs, netMs, nextAskMs } from "../../data/pace.ts";
import { useTopic } from "./use-following.ts";

/** What came to a list since it was read. */
export type NewRows = {
  /** How many the first page of it has; `isMore`: there are more. */
  count: number;
  isMore: boolean;
  /** Puts them on top. */
  show(): void;
};

type Identified = { id: string };

type Peeked<Id extends OperationId> = {
  news: NewRows;
  latest: readonly ItemOf<Id>[];
  /** Why it is not known whether there is something new; null: it is. */
  error: unknown;
  isPaused: boolean;
  /** In ms; 0 for never. */
  updatedAt: number;
  look(): Promise<unknown>;
};

/**
 * For a list whose rows must not move under its reader: its first page is asked again when something happens, beside what is shown.
 * `latest` are the items as they are now, the same ones in the same order.
 */
export function useNews<Id extends OperationId>(
  call: Call<Id>,
  { items, isReady }: { items: readonly ItemOf<Id>[]; isReady: boolean },
): Peeked<Id> {
  const queries = useQueryClient();
  const isLive = isLiveList(call.operationId);
  useTopic(call.operationId === "listRequestLogs" ? "requests" : "events", isLive);
  const key = pagesKey(call);
  const firstPage = (): Answered<Id> | undefined => queries.getQueryData<InfiniteData<Answered<Id>>>(key)?.pages[0];
  const peek = useQuery({
    queryKey: peekKey(call),
    queryFn: ({ signal }): Promise<Answered<Id>> => callApi(call, { signal }),
    enabled: isLive && isReady,
    // The list was just read.
    initialData: firstPage,
    initialDataUpdatedAt: () => queries.getQueryState(key)?.dataUpdatedAt,
    refetchInterval: ({ state: { data, status } }) =>
      nextAskMs(call.operationId === "listDeliveries" ? afterAttemptMs(attemptsOf(data?.data)) : netMs, {
        isFailing: status === "error",
      }),
  });
  const first = peek.data;
  const found = useMemo(
    () => (isLive && isReady ? ((first?.data ?? []) as readonly (ItemOf<Id> & Identified)[]) : []),
    [isLive, isReady, first],
  );
  const keyText = JSON.stringify(key);
  const show = useCallback(() => {
    // What `keyText` was made of.
    queries.setQueryData(JSON.parse(keyText) as unknown[], first && { pages: [first], pageParams: [undefined] });
  }, [queries, keyText, first]);
  const isEmpty = items.length === 0 && found.length > 0;
  useEffect(() => {
    // There is nothing that could move.
    if (isEmpty) {
      show();
    }
  }, [isEmpty, show]);
  const fresh = newerThan(found, items as readonly Identified[]);
  const latest = useMemo(() => {
    const now = new Map(found.map((item) => [item.id, item]));
    return found.length === 0 ? items : items.map((item) => now.get((item as Identified).id) ?? item);
  }, [items, found]);
  const news = { count: fresh.length, isMore: fresh.length > 0 && fresh.length === found.length, show };
  return {
    news,
    latest,
    error: peek.error,
    isPaused: peek.isPaused,
    updatedAt: peek.dataUpdatedAt,
    look: peek.refetch,
  };
}

/** An id is made before its row can be seen, so one that is new may stand below the first. */
function newerThan<Item extends Identified>(found: readonly Item[], shown: readonly Identified[]): readonly Item[] {
  const ids = new Set(shown.map(({ id }) => id));
  const last = shown.at(-1)?.id ?? "";
  return found.filter(({ id }) => !ids.has(id) && id > last);
}

/** Only deliveries have one. */
function attemptsOf(data: unknown): readonly { nextAttemptAt: string | null }[] {
  return (data ?? []) as readonly { nextAttemptAt: string | null }[];
}
