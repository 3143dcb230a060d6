import type { Promised } from "./judge.ts";
import type { StormReport } from "./run-storm.ts";

/** For a terminal. */
export function renderReport(report: StormReport): string {
  const rows = report.counts.map(({ name, ...numbers }) => [name, ...Object.values(numbers).map(String)]);
  const totals = report.counts.reduce<number[]>((sums, { name: _name, ...numbers }) => {
    return Object.values(numbers).map((number, index) => number + (sums[index] ?? 0));
  }, []);
  const heading = ["endpoint", "delivered", "failed", "held", "attempts", "arrivals", "unrecorded", "repeated"];
  const table = renderTable([heading, ...rows, ["all", ...totals.map(String)]]);
  return [
    "",
    `${report.acknowledged} events acknowledged, ${report.stored} stored; ${report.lostTries} tries without an answer`,
    `${report.kills} dispatchers killed, Postgres restarted ${report.restarts} times, failed endpoints enabled ${report.enablings} times`,
    `${report.seconds.toFixed(0)} s`,
    "",
    ...table,
    "",
    ...renderPromises(report.promises),
  ].join("\n");
}

export function renderPromises(promises: readonly Promised[]): string[] {
  return promises.map(
    ({ text, count, isKept }) => `${isKept ? "kept  " : "BROKEN"}  ${String(count).padStart(6)}  ${text}`,
  );
}

/** The first column to the left, the numbers to the right. */
export function renderTable(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
}
