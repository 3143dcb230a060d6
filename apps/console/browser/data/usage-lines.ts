import type { Line, UsageSeries } from "./usage-buckets.ts";

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
