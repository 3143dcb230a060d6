import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { callApi, type Answered, type Call, type DataOf } from "../../data/calls.ts";
import type { OperationId } from "../../data/operation-row.ts";
import { keyOf } from "../../data/live-lists.ts";
import { askingEvery, netMs } from "../../data/pace.ts";
import { wholeOf } from "../../data/whole-list.ts";

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
