import type { MeasureId } from "./arguments.ts";

/** One target and the measured value. `measured` is null when the measure could not be taken. */
export type Check = { target: string; measured: number | null; outcome: "met" | "not met" | "skipped" };

/** One row of the table. `figures` holds the measurements behind the checks, with units at the end of their names. */
export type Row = { id: MeasureId; name: string; checks: readonly Check[]; figures: Readonly<Record<string, number>> };

export function atLeast(target: number, measured: number, what: string): Check {
  return { target: `${what} >= ${target}`, measured: round(measured), outcome: measured >= target ? "met" : "not met" };
}

export function atMost(target: number, measured: number, what: string): Check {
  return { target: `${what} <= ${target}`, measured: round(measured), outcome: measured <= target ? "met" : "not met" };
}

/** Rounds to three significant digits, and to whole numbers from 1000. */
export function round(value: number): number {
  return Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
