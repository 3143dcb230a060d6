import type { Row } from "./row.ts";

/** The rows as text for a terminal: a line for each target, and the figures behind it. */
export function renderTable(rows: readonly Row[]): string {
  return rows
    .map((row) => [`(${row.id}) ${row.name}`, ...checkLines(row), ...figureLines(row)].join("\n"))
    .join("\n\n");
}

function checkLines({ checks }: Row): string[] {
  return checks.map(
    ({ target, measured, outcome }) =>
      `    ${outcome.padEnd(8)} ${String(measured ?? "-").padStart(9)}   target: ${target}`,
  );
}

function figureLines({ figures }: Row): string[] {
  return Object.entries(figures).map(([name, value]) => `             ${String(value).padStart(9)}   ${name}`);
}
