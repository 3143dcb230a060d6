const units = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
] as const;

/**
 * How long somebody waits, in the unit in which it is at least one: `30 min`, `12 h`. What lacks a twentieth of one
 * is one, for plans are not kept to the second.
 */
export function describeWait(ms: number): string {
  const [size, unit] = units.find(([unitMs]) => ms >= 0.95 * unitMs) ?? [1000, "s"];
  return `${Math.round(ms / size)} ${unit}`;
}
