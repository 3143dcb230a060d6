import { ChartTable } from "../../chart/chart-table.tsx";
import { LazyBarChart } from "../../chart/lazy-bar-chart.tsx";
import { readTimeRange } from "../../data/time-range.ts";
import { bucketsOf, mostOf, shareText, stepOf, totalsOf, type Interval } from "../../data/usage-buckets.ts";
import { hasHatched, linesOfUsage, usageDimensions, type UsageDimension } from "../../data/usage-lines.ts";
import { ScreenLink } from "../../parts/page/screen-link.tsx";
import { AsCode } from "../../parts/shown/as-code.tsx";
import { useCallerNames } from "../../parts/names/caller-names.ts";
import { Gaps } from "../../parts/shown/gaps.tsx";
import { useListKeys } from "../../parts/list/list-keys.ts";
import { MomentRange, RangeChoice } from "../../parts/fields/range-choice.tsx";
import { ScreenHeader } from "../../parts/shown/screen-header.tsx";
import { Empty, Failure, LoadingRows, Stale, Waiting } from "../../parts/shown/states.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import { useUrlState } from "../../parts/page/use-url-state.ts";
import { SeriesTable } from "./series-table.tsx";

const intervals: readonly { value: Interval; label: string }[] = [
  { value: "minute", label: "By the minute" },
  { value: "hour", label: "By the hour" },
  { value: "day", label: "By the day" },
];

/** As many as have a colour. */
const mostLines = 7;

/** How many requests programs made, of what kind, and how near to the limit. */
export function UsageScreen() {
  const [state] = useUrlState();
  const by = usageDimensions.find((one) => one === state["by"]) ?? "operation";
  const wanted = intervals.find(({ value }) => value === state["interval"])?.value ?? null;
  useListKeys({ isOpen: false, close: () => {} });
  return (
    <div className="plain-screen usage-screen">
      <ScreenHeader
        title="Usage"
        about="What programs asked of the API, counted. What people do in this console is not in it."
        actions={
          <ScreenLink to="/logs" className="button">
            Request by request
          </ScreenLink>
        }
      />
      <UsageFilters by={by} wanted={wanted} />
      <UsageOf by={by} wanted={wanted} />
    </div>
  );
}

type Chosen = { by: UsageDimension; wanted: Interval | null };

function UsageFilters({ by, wanted }: Chosen) {
  const [{ range, since, until }, setState] = useUrlState();
  const nowMs = Date.now();
  const length = readTimeRange({ range, since, until }, nowMs);
  return (
    <div className="filters" role="search" aria-label="Filters">
      <RangeChoice />
      <select
        className="filter"
        aria-label="A bar is"
        data-active={wanted !== null}
        value={wanted ?? ""}
        onChange={({ target: { value } }) => setState({ interval: value || undefined })}
      >
        <option value="">Bars as they fit</option>
        {intervals.map(({ value, label }) => (
          <option key={value} value={value} disabled={stepOf(length, nowMs, value) === null}>
            {label}
          </option>
        ))}
      </select>
      <select
        className="filter"
        aria-label="Colours"
        value={by}
        onChange={({ target: { value } }) => setState({ by: value })}
      >
        {usageDimensions.map((value) => (
          <option key={value} value={value}>
            {`Colours by ${value}`}
          </option>
        ))}
      </select>
      <details className="filter-more">
        <summary className="button small">Exact time</summary>
        <div className="filters">
          <MomentRange />
        </div>
      </details>
    </div>
  );
}

function UsageOf({ by, wanted }: Chosen) {
  const [state] = useUrlState();
  const nowMs = Date.now();
  const range = readTimeRange(state, nowMs, { wanted });
  const step = stepOf(range, nowMs, wanted);
  const query = {
    interval: step?.interval,
    since: new Date(range.sinceMs).toISOString(),
    until: range.relative === null ? new Date(range.untilMs).toISOString() : undefined,
  };
  const isWanted = step !== null;
  const call = { operationId: "getUsage", query: { ...query, groupBy: by } } as const;
  const usage = useCall(call, { isWanted });
  const needsRefused = by === "operation" || by === "caller";
  const refused = useCall(
    { operationId: "getUsage", query: { ...query, groupBy: `${by},status` } },
    { isWanted: isWanted && needsRefused },
  );
  const account = useCall({ operationId: "getAccount" });
  const names = useCallerNames();
  if (step === null) {
    return (
      <p className="note">
        {wanted === "minute"
          ? "By the minute at most 24 hours are counted, of the past 48."
          : "At most 100 days are counted at once, of the past 400."}
      </p>
    );
  }
  if (!usage.data) {
    return usage.isError ? (
      <Failure error={usage.error} retry={() => void usage.refetch()} />
    ) : (
      <div className="usage-loading">
        <Waiting className="chart" />
        <LoadingRows count={4} />
      </div>
    );
  }
  const { series, peakPerMinute } = usage.data.data;
  // While others are asked for, those of before stay, in their own groups.
  const told = usageDimensions.find((one) => series.some(({ group }) => group !== null && one in group)) ?? by;
  const limit = account.data?.data.rateLimit.requestsPerMinute ?? null;
  const all = linesOfUsage(series, {
    by: told,
    refused: needsRefused ? (refused.data?.data.series ?? []) : null,
    names,
  });
  const lines = mostOf(all, mostLines);
  const buckets = bucketsOf(range, step.stepMs, lines, usage.data.meta.gaps);
  const { count, errors } = totalsOf(series);
  const hatchedLabel = hasHatched(all) ? "refused by the limit" : undefined;
  const label = `${count.toLocaleString("en")} requests by ${told}, ${errors.toLocaleString("en")} of them errors.`;
  return (
    <>
      {usage.isError && (
        <Stale error={usage.error} updatedAt={usage.dataUpdatedAt} retry={() => void usage.refetch()} />
      )}
      <Figures count={count} errors={errors} peak={peakPerMinute} limit={limit} />
      {count === 0 ? (
        <Empty title="No program asked anything in this time">
          <ScreenLink to="/keys">Make an API key</ScreenLink> and call the API with it: a request is counted within a
          second.
        </Empty>
      ) : (
        <>
          <figure className="usage-chart" data-count={count}>
            <LazyBarChart
              label={label}
              buckets={buckets}
              lines={lines}
              hasAxes
              limit={limitLine(limit, { stepMs: step.stepMs, highest: Math.max(...buckets.map(({ total }) => total)) })}
              {...(hatchedLabel !== undefined && { hatchedLabel })}
            />
            <figcaption>
              A bar is {lengthInWords(step.stepMs)}.
              {hatchedLabel !== undefined && " Hatched: refused by the limit (429)."}
            </figcaption>
          </figure>
          <Gaps gaps={usage.data.meta.gaps ?? []} />
          <ChartTable
            caption={label}
            buckets={buckets}
            lines={lines}
            {...(hatchedLabel !== undefined && { hatchedLabel })}
          />
          <SeriesTable series={series} by={told} names={names} colours={lines} range={state} />
        </>
      )}
      <AsCode call={call} />
    </>
  );
}

function Figures({
  count,
  errors,
  peak,
  limit,
}: {
  count: number;
  errors: number;
  peak: number;
  limit: number | null;
}) {
  return (
    <dl className="figures">
      <div>
        <dt>Requests</dt>
        <dd className="number" data-figure="count">
          {count.toLocaleString("en")}
        </dd>
      </div>
      <div>
        <dt>Errors</dt>
        <dd className="number" data-figure="errors">
          {errors.toLocaleString("en")} <span className="faint">{shareText(errors, count)}</span>
        </dd>
      </div>
      <div>
        <dt>Busiest minute</dt>
        <dd className="number" data-figure="peak">
          {peak.toLocaleString("en")}
          {limit !== null && <span className="faint"> of {limit.toLocaleString("en")} allowed</span>}
        </dd>
      </div>
    </dl>
  );
}

/** The limit is of a minute: only there is it a height. One that is far above all bars would make them flat. */
function limitLine(limit: number | null, { stepMs, highest }: { stepMs: number; highest: number }) {
  return limit === null || stepMs !== 60_000 || limit > highest * 8
    ? null
    : { value: limit, label: `${limit.toLocaleString("en")} a minute: the limit` };
}

function lengthInWords(stepMs: number): string {
  const minutes = stepMs / 60_000;
  const [count, unit] =
    minutes >= 1440 ? [minutes / 1440, "day"] : minutes >= 60 ? [minutes / 60, "hour"] : [minutes, "minute"];
  return count === 1 ? (unit === "hour" ? "an hour" : `a ${unit}`) : `${count} ${unit}s`;
}
