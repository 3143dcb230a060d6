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
