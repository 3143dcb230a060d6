import type { Schemas } from "gateway-api-client";

type Span = { readonly sinceMs: number; readonly untilMs: number };

export type UsageSeries = Schemas["UsageSeries"];
export type Interval = "minute" | "hour" | "day";
export type Gap = { readonly from: string; readonly to: string; readonly count: number | null };

/** One colour of a chart. The points are those of the response. */
export type Line = {
  readonly key: string;
  readonly label: string;
  readonly points: readonly { readonly at: string; readonly count: number }[];
  readonly hatched?: Line["points"];
};

/** One bar: from a moment until before another, with the count of each line. */
export type Bucket = {
  readonly fromMs: number;
  readonly toMs: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly hatched: Readonly<Record<string, number>>;
  readonly total: number;
  /** Requests in it may be missing. */
  readonly hasGap: boolean;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * The lengths of a bar. Minutes are kept for 48 hours. A response has at most 24 hours of minutes or 31 days of hours.
 */
const steps: readonly { stepMs: number; interval: Interval; mostMs: number; keptMs: number; isAsked?: boolean }[] = [
  { stepMs: minuteMs, interval: "minute", mostMs: dayMs, keptMs: 48 * hourMs },
  { stepMs: 5 * minuteMs, interval: "minute", mostMs: dayMs, keptMs: 48 * hourMs },
  // A day by the minute has 1,440 points a series, so this step is only for users who choose minutes.
  { stepMs: 15 * minuteMs, interval: "minute", mostMs: dayMs, keptMs: 48 * hourMs, isAsked: true },
  { stepMs: hourMs, interval: "hour", mostMs: 31 * dayMs, keptMs: 400 * dayMs },
  { stepMs: 3 * hourMs, interval: "hour", mostMs: 31 * dayMs, keptMs: 400 * dayMs },
  { stepMs: 12 * hourMs, interval: "hour", mostMs: 31 * dayMs, keptMs: 400 * dayMs },
  { stepMs: dayMs, interval: "day", mostMs: 100 * dayMs, keptMs: 400 * dayMs },
];

export const mostBars = 100;

export type Step = { readonly stepMs: number; readonly interval: Interval };

/**
 * The shortest bar that leaves at most `mostBars`. Null when the operation does not count that far, or no longer does.
 */
export function stepOf(range: Span, nowMs: number, wanted: Interval | null = null): Step | null {
  const lengthMs = range.untilMs - range.sinceMs;
  const possible = steps.filter(
    ({ interval, mostMs, keptMs, isAsked = false }) =>
      (wanted === null ? !isAsked : interval === wanted) && lengthMs <= mostMs && range.sinceMs >= nowMs - keptMs,
  );
  const few = possible.find(({ stepMs }) => Math.ceil(lengthMs / stepMs) <= mostBars) ?? possible.at(-1);
  return few ? { stepMs: few.stepMs, interval: few.interval } : null;
}

/** Bars of whole steps in UTC. The operation counts the first and last interval of the range as a whole. */
export function bucketsOf(
  { sinceMs, untilMs }: Span,
  stepMs: number,
  lines: readonly Line[],
  gaps: readonly Gap[] = [],
): Bucket[] {
  const firstMs = Math.floor(sinceMs / stepMs) * stepMs;
  const count = Math.max(1, Math.ceil((untilMs - firstMs) / stepMs));
  const buckets = Array.from({ length: count }, (_, place) => emptyBucket(firstMs + place * stepMs, stepMs, gaps));
  const bucketAt = (at: string) => buckets[Math.floor((Date.parse(at) - firstMs) / stepMs)];
  for (const { key, points, hatched = [] } of lines) {
    for (const point of points) {
      add(bucketAt(point.at), "counts", key, point.count);
    }
    for (const point of hatched) {
      add(bucketAt(point.at), "hatched", key, point.count);
    }
  }
  return buckets;
}

type Building = { -readonly [Key in keyof Bucket]: Bucket[Key] } & Record<"counts" | "hatched", Record<string, number>>;

function emptyBucket(fromMs: number, stepMs: number, gaps: readonly Gap[]): Building {
  const toMs = fromMs + stepMs;
  const hasGap = gaps.some(({ from, to }) => Date.parse(from) < toMs && Date.parse(to) > fromMs);
  return { fromMs, toMs, counts: {}, hatched: {}, total: 0, hasGap };
}

function add(bucket: Building | undefined, kind: "counts" | "hatched", key: string, count: number): void {
  if (bucket) {
    bucket[kind][key] = (bucket[kind][key] ?? 0) + count;
    bucket.total += kind === "counts" ? count : 0;
  }
}

/** The first and largest lines one by one, the rest as one. */
export function mostOf(lines: readonly Line[], most: number): Line[] {
  const rest = lines.slice(most);
  if (rest.length <= 1) {
    return [...lines];
  }
  const joined = (pick: (line: Line) => Line["points"]) => rest.flatMap(pick);
  const others = { points: joined(({ points }) => points), hatched: joined(({ hatched = [] }) => hatched) };
  return [...lines.slice(0, most), { key: "others", label: `${rest.length} others`, ...others }];
}

/** Two lines: successful requests and refused ones. */
export function linesOfOutcome(series: readonly Pick<UsageSeries, "points">[]): Line[] {
  const points = series.flatMap((one) => one.points);
  return [
    { key: "errors", label: "Errors", points: points.map(({ at, errors }) => ({ at, count: errors })) },
    { key: "good", label: "Answered", points: points.map(({ at, count, errors }) => ({ at, count: count - errors })) },
  ];
}

export type CountedFilters = {
  readonly operation?: string | undefined;
  readonly code?: string | undefined;
  /** `404`, or `4xx`. */
  readonly status?: string | undefined;
  readonly caller?: string | undefined;
};

/** The grouping that the filters require. The operation groups by at most two, so more give null. */
export function groupingOf(filters: CountedFilters): string | null {
  const wanted = (["operation", "code", "status", "caller"] as const).filter((name) => filters[name] !== undefined);
  return wanted.length > 2 ? null : wanted.join(",");
}

/**
 * The series that the filters choose. `isWhole`: none of them is hidden in the last series, which joins all small
 * groups.
 */
export function chooseSeries(
  series: readonly UsageSeries[],
  filters: CountedFilters,
): { chosen: UsageSeries[]; isWhole: boolean } {
  const isAny = Object.values(filters).every((value) => value === undefined);
  const chosen = series.filter(({ group }) => isAny || (group !== null && isOf(group, filters)));
  return { chosen, isWhole: isAny || series.every(({ group }) => group !== null) };
}

function isOf(group: NonNullable<UsageSeries["group"]>, { operation, code, status, caller }: CountedFilters): boolean {
  const isStatus = status === undefined || (group.status ?? "").startsWith(status.replace(/xx$/, ""));
  return (
    isStatus &&
    (operation === undefined || group.operation === operation) &&
    (code === undefined || group.code === code) &&
    (caller === undefined || group.caller === caller)
  );
}

export type FailureGroup = {
  readonly operation: string | null;
  readonly code: string | null;
  readonly count: number;
  readonly lastRequestId: string;
};

/** The groups of failures, largest first. A request without a code is a failure when its status is 400 or more. */
export function failureGroupsOf(
  series: readonly UsageSeries[],
  { operation, code }: Pick<CountedFilters, "operation" | "code">,
): FailureGroup[] {
  return series
    .flatMap(({ group, errors, lastRequestId }) =>
      group === null || errors === 0
        ? []
        : [{ operation: group.operation ?? null, code: group.code ?? null, count: errors, lastRequestId }],
    )
    .filter(
      (one) => (operation === undefined || one.operation === operation) && (code === undefined || one.code === code),
    )
    .toSorted((a, b) => b.count - a.count || `${a.code} ${a.operation}`.localeCompare(`${b.code} ${b.operation}`));
}

export function totalsOf(series: readonly Pick<UsageSeries, "count" | "errors">[]): { count: number; errors: number } {
  return series.reduce((sum, { count, errors }) => ({ count: sum.count + count, errors: sum.errors + errors }), {
    count: 0,
    errors: 0,
  });
}

/** `1.2 %`; `< 0.1 %` for a small share that is not zero. */
export function shareText(part: number, whole: number): string {
  if (whole === 0 || part === 0) {
    return "0 %";
  }
  const percent = (part * 100) / whole;
  return percent < 0.1 ? "< 0.1 %" : `${percent >= 99.95 && part < whole ? "> 99.9" : Number(percent.toFixed(1))} %`;
}

export const usageDimensions = ["operation", "code", "status", "caller"] as const;

export type UsageDimension = (typeof usageDimensions)[number];

type Choice = {
  by: UsageDimension;
  /**
   * The series by status too, when `by` does not separate the requests that the limit refused (429). Null when it does.
   */
  refused: readonly UsageSeries[] | null;
  names: ReadonlyMap<string, string>;
};

export function linesOfUsage(series: readonly UsageSeries[], { by, refused, names }: Choice): Line[] {
  return series.map(({ group, points }) => {
    const value = group?.[by];
    const isRefused = refused === null && (value === "429" || value === "RATE_LIMITED");
    const hatched = isRefused
      ? points
      : (refused ?? [])
          .filter((one) => group !== null && one.group?.status === "429" && one.group[by] === value)
          .flatMap((one) => one.points);
    return { key: keyOf(group, by), label: groupText(group, by, names), points, hatched };
  });
}

/** Unique among the series of one response. */
export function keyOf(group: UsageSeries["group"], by: UsageDimension): string {
  return group === null ? "others" : `${by}:${group[by] ?? ""}`;
}

export function groupText(group: UsageSeries["group"], by: UsageDimension, names: ReadonlyMap<string, string>): string {
  if (group === null) {
    return "others";
  }
  const value = group[by] ?? null;
  return value === null
    ? { operation: "no operation", code: "not refused", status: "", caller: "" }[by]
    : (names.get(value) ?? value);
}

export function hasHatched(lines: readonly Line[]): boolean {
  return lines.some(({ hatched = [] }) => hatched.length > 0);
}
