import { ChartTable } from "../../chart/chart-table.tsx";
import { LazyBarChart } from "../../chart/lazy-bar-chart.tsx";
import { queryOfRange, readTimeRange, type TimeRange } from "../../data/time-range.ts";
import type { DataOf } from "../../data/calls.ts";
import {
  bucketsOf,
  mostOf,
  shareText,
  stepOf,
  totalsOf,
  type Gap,
  type Interval,
  type UsageSeries,
  hasHatched,
  linesOfUsage,
  usageDimensions,
  type UsageDimension,
} from "../../data/usage-buckets.ts";
import { ScreenLink, useUrlState } from "../../parts/page/address.tsx";
import { AsCode } from "../../parts/shown/as-code.tsx";
import { useCallerNames } from "../../parts/names/names.tsx";
import { Gaps } from "../../parts/shown/gaps.tsx";
import { useListKeys } from "../../parts/list/list-keys.ts";
import { MomentRange, RangeChoice } from "../../parts/fields/time-filter.tsx";
import { ScreenHeader } from "../../parts/shown/screen-header.tsx";
import { Figures } from "../../parts/shown/values.tsx";
import { Loaded, Empty, LoadingRows, Waiting } from "../../parts/shown/states.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import { SeriesTable } from "./series-table.tsx";
import { FilterSelect, OptionList } from "../../parts/fields/field-frame.tsx";

const intervals: readonly { value: Interval; label: string }[] = [
  { value: "minute", label: "By the minute" },
  { value: "hour", label: "By the hour" },
  { value: "day", label: "By the day" },
];

const mostLines = 7;

export function UsageScreen() {
  const [state] = useUrlState();
  const by = usageDimensions.find((one) => one === state["by"]) ?? "operation";
  const wanted = intervals.find(({ value }) => value === state["interval"])?.value ?? null;
  useListKeys({ isOpen: false, close: () => {} });
  return (
    <div className="plain-screen usage-screen">
      <ScreenHeader
        title="Usage"
        about="The requests of programs to the API, counted. Requests of this console are not included."
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
      <FilterSelect
        label="A bar is"
        value={wanted ?? ""}
        onChange={(value) => setState({ interval: value || undefined })}
      >
        <option value="">Bars as they fit</option>
        <OptionList of={intervals.map((one) => ({ ...one, isDisabled: stepOf(length, nowMs, one.value) === null }))} />
      </FilterSelect>
      <FilterSelect label="Colours" value={by} isActive={false} onChange={(value) => setState({ by: value })}>
        <OptionList of={usageDimensions.map((value) => ({ value, label: `Colours by ${value}` }))} />
      </FilterSelect>
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
  const query = { interval: step?.interval, ...queryOfRange(range) };
  const isWanted = step !== null;
  const call = { operationId: "getUsage", query: { ...query, groupBy: by } } as const;
  const usage = useCall(call, { isWanted });
  const needsRefused = by === "operation" || by === "caller";
  const refused = useCall(
    { operationId: "getUsage", query: { ...query, groupBy: `${by},status` } },
    { isWanted: isWanted && needsRefused },
  );
  if (step === null) {
    return (
      <p className="note">
        {wanted === "minute"
          ? "By the minute, choose at most 24 hours of the past 48."
          : "Choose at most 100 days of the past 400."}
      </p>
    );
  }
  const waiting = (
    <div className="usage-loading">
      <Waiting className="chart" />
      <LoadingRows count={4} />
    </div>
  );
  return (
    <Loaded of={usage} waiting={waiting}>
      {({ data, meta }) => (
        <>
          <UsageChart
            {...{ usage: data, gaps: meta.gaps ?? [], by, range, stepMs: step.stepMs }}
            refused={needsRefused ? (refused.data?.data.series ?? []) : null}
          />
          <AsCode call={call} />
        </>
      )}
    </Loaded>
  );
}

type ChartOptions = {
  usage: DataOf<"getUsage">;
  gaps: readonly Gap[];
  by: UsageDimension;
  range: TimeRange;
  stepMs: number;
  refused: readonly UsageSeries[] | null;
};

/** The figures and, unless they are zero, the chart with its table and its legend. */
function UsageChart({ usage: { series, peakPerMinute }, gaps, by, range, stepMs, refused }: ChartOptions) {
  const [state] = useUrlState();
  const names = useCallerNames();
  const account = useCall({ operationId: "getAccount" });
  const limit = account.data?.data.rateLimit.requestsPerMinute ?? null;
  // While another grouping loads, the former series stay in their own groups.
  const told = usageDimensions.find((one) => series.some(({ group }) => group !== null && one in group)) ?? by;
  const all = linesOfUsage(series, { by: told, refused, names });
  const lines = mostOf(all, mostLines);
  const buckets = bucketsOf(range, stepMs, lines, gaps);
  const { count, errors } = totalsOf(series);
  const label = `${count.toLocaleString("en")} requests by ${told}, ${errors.toLocaleString("en")} of them errors.`;
  const shown = { buckets, lines, ...(hasHatched(all) && { hatchedLabel: "refused by the limit" }) };
  const highest = Math.max(...buckets.map(({ total }) => total));
  return (
    <>
      <Figures of={figuresOf({ count, errors, peak: peakPerMinute, limit })} />
      {count === 0 ? (
        <Empty title="No requests from programs in this time">
          <ScreenLink to="/keys">Make an API key</ScreenLink> and call the API with it: a request is counted within a
          second.
        </Empty>
      ) : (
        <>
          <figure className="usage-chart" data-count={count}>
            <LazyBarChart {...shown} label={label} hasAxes limit={limitLine(limit, { stepMs, highest })} />
            <figcaption>
              A bar is {lengthInWords(stepMs)}.{hasHatched(all) && " Hatched: refused by the limit (429)."}
            </figcaption>
          </figure>
          <Gaps gaps={gaps} />
          <ChartTable caption={label} {...shown} />
          <SeriesTable series={series} by={told} names={names} colours={lines} range={state} />
        </>
      )}
    </>
  );
}

type Counted = { count: number; errors: number; peak: number; limit: number | null };

function figuresOf({ count, errors, peak, limit }: Counted) {
  const figure = (name: string, value: number, more: string | null) => (
    <span className="number" data-figure={name}>
      {value.toLocaleString("en")}
      {more !== null && <span className="faint"> {more}</span>}
    </span>
  );
  return [
    ["Requests", figure("count", count, null)],
    ["Errors", figure("errors", errors, shareText(errors, count))],
    ["Busiest minute", figure("peak", peak, limit === null ? null : `of ${limit.toLocaleString("en")} allowed`)],
  ] as const;
}

/**
 * The limit applies to a minute, so only bars of a minute have its line. A limit far above all bars would make them
 * flat.
 */
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
