import { invalidField, type Schemas } from "@gateway/contract";
import { parseTimestamp, type Clock } from "@gateway/kernel";
import { sql, type Kysely, type RawBuilder } from "kysely";
import { durationBuckets, percentileOf } from "./durations.ts";
import { listGaps, type RequestLogGap } from "./gaps.ts";
import { usageHoursLifetimeMs, usageMinutesLifetimeMs } from "./retention.ts";
import type { RequestLogTables } from "./tables.ts";
import type { Viewer } from "./viewer.ts";

export type UsageInterval = "minute" | "hour" | "day";
export type UsageGroup = "operation" | "code" | "status" | "caller";

type UsageRequest = Viewer & {
  interval: UsageInterval;
  since?: string | undefined;
  until?: string | undefined;
  /** Two at most. */
  groupBy: readonly UsageGroup[];
};

type UsagePoint = { at: Date; count: number; errors: number };

type UsageSeries = {
  /** Null for the rest, whose groups are many and small. `code` is null when nothing was refused. */
  group: Schemas["UsageGroup"] | null;
  count: number;
  errors: number;
  p50Ms: number | null;
  p95Ms: number | null;
  lastRequestId: string;
  /** Oldest first. Points without requests are left out. */
  points: UsagePoint[];
};

export type Usage = {
  since: Date;
  until: Date;
  /** The largest first. */
  series: UsageSeries[];
  peakPerMinute: number;
  gaps: RequestLogGap[];
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The table that an interval is counted from, the longest range of a response, and the default range. */
const intervals = {
  minute: {
    lengthMs: minuteMs,
    table: "usage_minutes",
    keptMs: usageMinutesLifetimeMs,
    mostMs: dayMs,
    usualMs: hourMs,
  },
  hour: { lengthMs: hourMs, table: "usage_hours", keptMs: usageHoursLifetimeMs, mostMs: 31 * dayMs, usualMs: dayMs },
  day: {
    lengthMs: dayMs,
    table: "usage_hours",
    keptMs: usageHoursLifetimeMs,
    mostMs: 100 * dayMs,
    usualMs: 30 * dayMs,
  },
} as const;

const rangeInWords = { minute: "24 hours", hour: "31 days", day: "100 days" } as const;
const keptInWords = { minute: "48 hours", hour: "400 days", day: "400 days" } as const;

/** The series that are shown one by one. Smaller ones are shown as one. */
const mostSeries = 20;

export function createUsageCounts(db: Kysely<RequestLogTables>, { clock }: { clock: Clock }) {
  return {
    /**
     * Requests of the console are not in it. Refuses more points than a chart can show, and times whose counts are
     * gone.
     */
    get: async (request: UsageRequest) => {
      const { since, until } = rangeOf(request, clock.now());
      const rows = await readCounts(db, request, { since, until });
      return {
        since,
        until,
        series: seriesOf(rows, request.groupBy),
        peakPerMinute: await readPeak(db, request, { since, until }),
        gaps: await listGaps(db, { accountId: request.accountId, onlyOf: request.onlyOf, since, until }),
      };
    },
  };
}

type Range = { since: Date; until: Date };

/** Whole intervals: the first begins at `since` or before, the last ends at `until` or after. */
function rangeOf({ interval, since, until }: UsageRequest, nowMs: number): Range {
  const { lengthMs, keptMs, mostMs, usualMs } = intervals[interval];
  const untilMs = Math.ceil((until === undefined ? nowMs + 1 : parseTimestamp(until).getTime()) / lengthMs) * lengthMs;
  const fromMs = since === undefined ? untilMs - usualMs : parseTimestamp(since).getTime();
  const sinceMs = Math.floor(fromMs / lengthMs) * lengthMs;
  if (sinceMs >= untilMs) {
    throw invalidField("since", "must be before until");
  }
  if (untilMs - sinceMs > mostMs + lengthMs) {
    throw invalidField(
      "since",
      `must be at most ${rangeInWords[interval]} before until, with the interval ${interval}`,
    );
  }
  const field = since === undefined ? "until" : "since";
  if (sinceMs < nowMs - keptMs - lengthMs) {
    throw invalidField(
      field,
      `must be within the past ${keptInWords[interval]}: with the interval ${interval}, older counts are not kept`,
    );
  }
  if (sinceMs > nowMs) {
    throw invalidField(field, "must not be so far in the future: nothing has been counted for that time yet");
  }
  return { since: new Date(sinceMs), until: new Date(untilMs) };
}

const groupColumns: Readonly<Record<UsageGroup, RawBuilder<string>>> = {
  operation: sql`operation_id`,
  code: sql`code`,
  status: sql`status::text`,
  caller: sql`caller_id`,
};

type CountRow = {
  at: Date;
  first: string;
  second: string;
  count: number;
  errors: number;
  last_request_id: string;
} & Record<`took_${number}`, number>;

async function readCounts(
  db: Kysely<RequestLogTables>,
  { accountId, onlyOf, interval, groupBy }: UsageRequest,
  { since, until }: Range,
): Promise<CountRow[]> {
  const [first, second] = groupBy.map((group) => groupColumns[group]);
  const { rows } = await sql<CountRow>`
    select date_trunc(${sql.lit(interval)}, at, 'UTC') as at, ${first ?? sql`''`} as first, ${second ?? sql`''`} as second,
      sum(count)::float8 as count, coalesce(sum(count) filter (where status >= 400), 0)::float8 as errors,
      max(last_request_id) as last_request_id,
      ${sql.raw(durationBuckets.map((_, place) => `sum(took_${place})::float8 as took_${place}`).join(", "))}
    from ${sql.table(intervals[interval].table)}
    where account_id = ${accountId} and at >= ${since} and at < ${until} ${onlyOf === null ? sql`` : sql`and caller_id = ${onlyOf}`}
    group by 1, 2, 3 order by 1
  `.execute(db);
  return rows;
}

function seriesOf(rows: readonly CountRow[], groupBy: readonly UsageGroup[]): UsageSeries[] {
  const groups = [...Map.groupBy(rows, ({ first, second }) => `${first} ${second}`).values()];
  const sorted = groups.toSorted((a, b) => sumOf(b, "count") - sumOf(a, "count"));
  const rest = sorted.slice(mostSeries).flat();
  return [
    ...sorted.slice(0, mostSeries).map((some) => seriesOfGroup(some, some[0] ? groupOf(some[0], groupBy) : null)),
    ...(rest.length > 0 ? [seriesOfGroup(rest, null)] : []),
  ];
}

function seriesOfGroup(rows: readonly CountRow[], group: UsageSeries["group"]): UsageSeries {
  const durations = durationBuckets.map((_, place) => sumOf(rows, `took_${place}`));
  const points = [...Map.groupBy(rows, ({ at }) => at.getTime())].toSorted(([a], [b]) => a - b);
  return {
    group,
    count: sumOf(rows, "count"),
    errors: sumOf(rows, "errors"),
    lastRequestId: rows.reduce((last, row) => (last > row.last_request_id ? last : row.last_request_id), ""),
    points: points.map(([atMs, some]) => ({
      at: new Date(atMs),
      count: sumOf(some, "count"),
      errors: sumOf(some, "errors"),
    })),
    p50Ms: percentileOf(durations, 0.5),
    p95Ms: percentileOf(durations, 0.95),
  };
}

function sumOf(rows: readonly CountRow[], column: "count" | "errors" | `took_${number}`): number {
  return rows.reduce((sum, row) => sum + (row[column] ?? 0), 0);
}

function groupOf({ first, second }: CountRow, groupBy: readonly UsageGroup[]): UsageSeries["group"] {
  const values = [first, second];
  // Status and caller are never empty.
  return Object.fromEntries(
    groupBy.map((group, place) => [group, values[place] === "" ? null : values[place]]),
  ) as Schemas["UsageGroup"];
}

/** An application has its own peak. For hours whose minutes are deleted, only the account's peak is kept. */
async function readPeak(
  db: Kysely<RequestLogTables>,
  { accountId, onlyOf }: UsageRequest,
  { since, until }: Range,
): Promise<number> {
  const own = onlyOf === null ? sql`` : sql`and caller_id = ${onlyOf}`;
  const kept =
    onlyOf === null
      ? sql`union all select max(count) from usage_peaks where account_id = ${accountId} and at >= date_trunc('hour', ${since}::timestamptz, 'UTC') and at < ${until}`
      : sql``;
  const { rows } = await sql<{ peak: number }>`
    select coalesce(max(count), 0)::float8 as peak from (
      select max(count) as count from (
        select sum(count) as count from usage_minutes
        where account_id = ${accountId} and at >= ${since} and at < ${until} ${own} group by at
      ) minutes
      ${kept}
    ) peaks
  `.execute(db);
  return rows[0]?.peak ?? 0;
}
