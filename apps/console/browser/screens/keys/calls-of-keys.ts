import { useCall } from "../../parts/call/use-call.ts";

/**
 * What a key did in 24 hours; one question for all of them. Null: not known. Twenty callers are told apart: beside
 * more than these, one that is not among them may have made a few, which are counted with the rest.
 */
export function useCallsOf(id: string): number | null {
  const { data } = useCall({ operationId: "getUsage", query: { groupBy: "caller" } }, { everyMs: 60_000 });
  const series = data?.data.series ?? [];
  const found = series.find(({ group }) => group?.caller === id)?.count;
  const isWhole = data !== undefined && series.every(({ group }) => group !== null);
  return found ?? (isWhole ? 0 : null);
}
