import type { Bucket, Line } from "../data/usage-buckets.ts";

type Zone = "utc" | "local";

const dayMs = 86_400_000;

/**
 * `13:05` for a bucket shorter than a day, `Nov 23` for a day. Days are UTC days, because requests are counted by
 * those.
 */
export function bucketTime({ fromMs, toMs }: Pick<Bucket, "fromMs" | "toMs">, zone: Zone): string {
  const isDay = toMs - fromMs >= dayMs;
  const hasHour = !isDay;
  const hasDay = isDay || toMs - fromMs > 3_600_000;
  return new Intl.DateTimeFormat("en-GB", {
    ...(hasDay && { day: "numeric" as const, month: "short" as const }),
    ...(hasHour && { hour: "2-digit" as const, minute: "2-digit" as const, hourCycle: "h23" as const }),
    ...((zone === "utc" || isDay) && { timeZone: "UTC" }),
  }).format(fromMs);
}

type Words = {
  lines: readonly Pick<Line, "key" | "label">[];
  zone: Zone;
  hatchedLabel?: string | undefined;
};

export function bucketText(bucket: Bucket | undefined, { lines, zone, hatchedLabel }: Words): string {
  if (!bucket) {
    return "";
  }
  const parts = lines
    .filter(({ key }) => (bucket.counts[key] ?? 0) > 0)
    .map(({ key, label }) => `${label} ${number(bucket.counts[key] ?? 0)}`);
  const hatched = Object.values(bucket.hatched).reduce((sum, count) => sum + count, 0);
  return [
    bucketTime(bucket, zone),
    `${number(bucket.total)} ${bucket.total === 1 ? "request" : "requests"}`,
    ...parts,
    ...(hatchedLabel !== undefined && hatched > 0 ? [`${number(hatched)} ${hatchedLabel}`] : []),
    ...(bucket.hasGap ? ["some may be missing"] : []),
  ].join(" · ");
}

function number(value: number): string {
  return new Intl.NumberFormat("en").format(value);
}
