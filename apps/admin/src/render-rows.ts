/** One block a row, one `name  value` line a field. */
export function renderRows(rows: readonly Readonly<Record<string, string | number | boolean | null>>[]): string {
  return rows.length === 0 ? "None." : rows.map(renderRow).join("\n\n");
}

function renderRow(row: Readonly<Record<string, string | number | boolean | null>>): string {
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  return Object.entries(row)
    .map(([name, value]) => `${name.padEnd(width)}  ${value ?? "-"}`)
    .join("\n");
}
