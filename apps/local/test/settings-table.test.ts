import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { localSettings } from "../src/config.ts";

const readme = join(import.meta.dirname, "../../../README.md");
const markers = /<!-- settings -->(?<table>[\s\S]*?)<!-- \/settings -->/;

/** The README's table of settings, from what the programs read. */
function renderSettingsTable(): string {
  const rows = Object.entries(localSettings).map(
    ([name, setting]) => `| \`${name}\` | ${setting.description} | ${setting.default || "none"} |`,
  );
  return ["| Variable | Meaning | Default |", "|---|---|---|", ...rows].join("\n");
}

/** Cell by cell: a formatter may pad them. The line of dashes is left out. */
function cellsOf(table: string): string[][] {
  const rows = table.split("\n").filter((line) => line.startsWith("|") && !/^[|\s:-]+$/.test(line));
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test("the README's table of settings is what the programs read", () => {
  const table = markers.exec(readFileSync(readme, "utf8"))?.groups?.["table"] ?? "";
  const expected = renderSettingsTable();
  const isCurrent = JSON.stringify(cellsOf(table)) === JSON.stringify(cellsOf(expected));
  const advice = `Put this between <!-- settings --> and <!-- /settings --> in README.md:\n\n${expected}\n`;
  expect(isCurrent ? "" : advice).toBe("");
});

test("no cell holds a character that would break the table", () => {
  const cells = Object.values(localSettings).flatMap((setting) => [setting.description, setting.default]);
  expect(cells.filter((cell) => /[|\n]/.test(cell))).toEqual([]);
});
