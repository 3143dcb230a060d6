import { lengthOf, usualRange } from "./ranges.ts";
import { stepOf, type Interval } from "./usage-buckets.ts";

const minuteMs = 60_000;

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
