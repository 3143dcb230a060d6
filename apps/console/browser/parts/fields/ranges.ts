import type { Choice } from "./field-input.tsx";

/** Relative ranges stay relative in the address: a shared link means the last hour of who opens it. */
export const ranges: readonly Choice[] = [
  { value: "1h", label: "Last hour" },
  { value: "24h", label: "Last 24 hours" },
  { value: "7d", label: "Last 7 days" },
  { value: "30d", label: "Last 30 days" },
];

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 };

/** Where a range begins, to the minute: the same question until the next minute. */
export function sinceOf(range: string | undefined): string | undefined {
  const [, count, unit = ""] = /^(\d{1,3})([hd])$/.exec(range ?? "") ?? [];
  const size = unitMs[unit];
  if (count === undefined || size === undefined) {
    return undefined;
  }
  return new Date(Math.floor((Date.now() - Number(count) * size) / 60_000) * 60_000).toISOString();
}
