import { queryOfRange, readTimeRange } from "./time-range.ts";
import type { CountedFilters } from "./usage-buckets.ts";

type UrlState = Readonly<Record<string, string | undefined>>;

/** The filters of the log, named as the operation names them, so that a link can be written by hand. */
export const logFilterNames = [
  "status",
  "operationId",
  "code",
  "method",
  "apiKeyId",
  "applicationId",
  "minDurationMs",
] as const;

export type LogFilterName = (typeof logFilterNames)[number];

/**
 * The query of the log. It leaves out requests from the console by default, because most of them come from its own
 * pages.
 */
export function queryOfLog(state: UrlState, nowMs: number): Readonly<Record<string, string | undefined>> {
  return {
    ...Object.fromEntries(logFilterNames.map((name) => [name, state[name] || undefined])),
    source: state["console"] === "1" ? undefined : "api",
    ...queryOfRange(readTimeRange(state, nowMs)),
  };
}

/**
 * The filters by which the usage is counted too. Null when it is not counted by all of them: then the list has no
 * chart.
 */
export function countedFiltersOf(state: UrlState): CountedFilters | null {
  const { operationId, method, status, code, apiKeyId, applicationId, minDurationMs } = state;
  return method || minDurationMs || (apiKeyId && applicationId)
    ? null
    : {
        operation: operationId || undefined,
        code: code || undefined,
        status: status || undefined,
        caller: apiKeyId || applicationId || undefined,
      };
}
