import { LazyBarChart } from "../../chart/lazy-bar-chart.tsx";
import { countedFiltersOf } from "../../data/log-filters.ts";
import { queryOfRange, readTimeRange } from "../../data/time-range.ts";
import { bucketsOf, chooseSeries, groupingOf, linesOfOutcome, stepOf, totalsOf } from "../../data/usage-buckets.ts";
import { Waiting } from "../../parts/shown/states.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import { useUrlState } from "../../parts/page/address.tsx";

/**
 * The listed requests over time, from the counts of the usage: the log itself comes page by page. A click on a bar, or
 * Enter, narrows the time to it. Where the counts cannot answer the filters it says so, in the same height.
 */
export function Histogram() {
  const [state, setState] = useUrlState();
  const nowMs = Date.now();
  const range = readTimeRange(state, nowMs);
  const step = stepOf(range, nowMs);
  const filters = countedFiltersOf(state);
  const groupBy = filters && groupingOf(filters);
  const isCounted = step !== null && groupBy !== null;
  const usage = useCall(
    {
      operationId: "getUsage",
      query: {
        interval: step?.interval,
        ...queryOfRange(range),
        groupBy: groupBy || undefined,
      },
    },
    { isWanted: isCounted },
  );
  if (!isCounted || filters === null) {
    return (
      <p className="chart strip chart-none">
        {step === null
          ? "No chart: counts by the minute are kept for 48 hours, and counts by the hour cover at most a month at a time."
          : "No chart: requests are counted by operation, code, status and caller, two of these at once."}
      </p>
    );
  }
  if (!usage.data) {
    return <Waiting className="chart strip" />;
  }
  const { chosen, isWhole } = chooseSeries(usage.data.data.series, filters);
  const { count, errors } = totalsOf(chosen);
  const lines = linesOfOutcome(chosen);
  const label = `${isWhole ? "" : "At least "}${plural(count, "request")}, ${plural(errors, "error")} in this time.`;
  return (
    <figure className="log-chart" data-count={count} data-errors={errors}>
      <LazyBarChart
        label={label}
        buckets={bucketsOf(range, step.stepMs, lines, usage.data.meta.gaps)}
        lines={lines}
        onPick={({ fromMs, toMs }) =>
          setState({ range: undefined, since: new Date(fromMs).toISOString(), until: new Date(toMs).toISOString() })
        }
      />
      <figcaption>
        {label}
        {state["console"] === "1" && " Requests of the console are not counted."}
      </figcaption>
    </figure>
  );
}

function plural(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : `${noun}s`}`;
}
