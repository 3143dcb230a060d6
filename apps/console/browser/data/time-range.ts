import { stepOf, type Interval } from "./usage-buckets.ts";

type UrlState = Readonly<Record<string, string | undefined>>;

/**
 * A time range as the address gives it: relative, such as the hour before the page is opened, or between two moments.
 */
export type TimeRange = {
  readonly sinceMs: number;
  readonly untilMs: number;
  /** `1h`; null for two moments. */
  readonly relative: string | null;
};

/**
 * The time of an address: `since` and `until` take precedence over `range`. A relative range has whole bars, so the
 * list and the chart show the same requests. The request also stays the same until the next bar begins.
 */
export function readTimeRange(
  { range, since, until }: UrlState,
  nowMs: number,
  { usual = usualRange, wanted = null }: { usual?: string; wanted?: Interval | null } = {},
): TimeRange {
  const [sinceMs, untilMs] = [momentOf(since), momentOf(until)];
  const relative = lengthOf(range) === null ? usual : (range ?? usual);
  const length = lengthOf(relative) ?? 0;
  if (sinceMs === null && untilMs === null) {
    return { sinceMs: wholeBarsBefore(nowMs, length, wanted), untilMs: nowMs, relative };
  }
  const endMs = untilMs ?? Math.max(nowMs, (sinceMs ?? 0) + minuteMs);
  const startMs = sinceMs ?? endMs - length;
  return { sinceMs: Math.min(startMs, endMs - 1), untilMs: endMs, relative: null };
}

function wholeBarsBefore(nowMs: number, length: number, wanted: Interval | null): number {
  const step = stepOf({ sinceMs: nowMs - length, untilMs: nowMs }, nowMs, wanted)?.stepMs ?? minuteMs;
  return length > step && length % step === 0
    ? Math.floor(nowMs / step) * step - length + step
    : Math.floor((nowMs - length) / step) * step;
}

function momentOf(text: string | undefined): number | null {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

/** The parameters of an operation. A relative range has no end, so that new rows are in it. */
export function queryOfRange({ sinceMs, untilMs, relative }: TimeRange): { since: string; until?: string } {
  return {
    since: new Date(sinceMs).toISOString(),
    ...(relative === null && { until: new Date(untilMs).toISOString() }),
  };
}

const minuteMs = 60_000;
const unitMs: Readonly<Record<string, number>> = { m: minuteMs, h: 60 * minuteMs, d: 1440 * minuteMs };

export const relativeRanges = [
  { value: "15m", label: "Last 15 minutes" },
  { value: "1h", label: "Last hour" },
  { value: "6h", label: "Last 6 hours" },
  { value: "24h", label: "Last 24 hours" },
  { value: "7d", label: "Last 7 days" },
  { value: "30d", label: "Last 30 days" },
] as const;

export const usualRange = "24h";

/** The ranges of a filter by creation time. */
export const ranges = relativeRanges.filter(({ value }) => ["1h", "24h", "7d", "30d"].includes(value));

/** The start of a relative range, to the minute: the request stays the same until the next minute. */
export function sinceOf(range: string | undefined): string | undefined {
  const length = lengthOf(range);
  return length === null ? undefined : new Date(Math.floor((Date.now() - length) / minuteMs) * minuteMs).toISOString();
}

/** The length of a range such as `6h`, in ms. Null for an invalid or missing length. */
export function lengthOf(text: string | undefined): number | null {
  const [, count, unit = ""] = /^(\d{1,3})([mhd])$/.exec(text ?? "") ?? [];
  const size = unitMs[unit];
  return count === undefined || size === undefined || Number(count) === 0 ? null : Number(count) * size;
}
