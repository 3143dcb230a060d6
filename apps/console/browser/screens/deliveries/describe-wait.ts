const units = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
] as const;

/** A wait in the largest unit of which it is 0.95 at least, because plans slip by seconds: `30 min`, `12 h`. */
export function describeWait(ms: number): string {
  const [size, unit] = units.find(([unitMs]) => ms >= 0.95 * unitMs) ?? [1000, "s"];
  return `${Math.round(ms / size)} ${unit}`;
}
