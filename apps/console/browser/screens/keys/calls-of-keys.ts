import type { DataOf } from "../../data/calls.ts";
import { useCall } from "../../parts/use-call.ts";

type Series = DataOf<"getUsage">["series"][number];

/** What each caller did in 24 hours: one question for all keys. Null until it is answered. */
export function useCallers(): { readonly series: readonly Series[]; ofKey(id: string): Series | undefined } | null {
  const { data } = useCall({ operationId: "getUsage", query: { groupBy: "caller" } }, { everyMs: 60_000 });
  const series = data?.data.series;
  return series === undefined ? null : { series, ofKey: (id) => series.find(({ group }) => group?.caller === id) };
}

/**
 * Null: not known. Twenty callers are told apart: beside more than these, one that is not among them may have made a few, which are counted
 * with the rest.
 */
export function useCallsOf(id: string): number | null {
  const callers = useCallers();
  const found = callers?.ofKey(id)?.count;
  const hasRest = callers?.series.some(({ group }) => group === null) ?? true;
  return found ?? (hasRest ? null : 0);
}
