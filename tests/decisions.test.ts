import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import { listRepositoryFiles, readRepositoryFile } from "./support/source-files.ts";

const records = listRepositoryFiles()
  .filter((path) => /^docs\/adr\/\d{4}-/.test(path))
  .toSorted()
  .map((path) => ({ path, file: basename(path), text: readRepositoryFile(path) }));

/** The rows of docs/adr/README.md as they are written. */
const rows = readRepositoryFile("docs/adr/README.md")
  .split("\n")
  .filter((line) => /^\| \[/.test(line));

describe("the decision records", () => {
  test("each stand once in the index under their title, and nothing else does", () => {
    const expected = records.map(({ file, text }) => {
      const [, number = "", title = ""] = /^# (\d+)\. (.+)\n/.exec(text) ?? [];
      const isSuperseded = /^Status: superseded /m.test(text);
      return `| [${number}](${file}) | ${title}${isSuperseded ? " (superseded)" : ""} |`;
    });
    expect(rows.toSorted()).toEqual(expected.toSorted());
    expect(records.length).toBeGreaterThan(80);
  });

  test.each(records)("$file has the number of its file, a title that says the decision, and a status", (record) => {
    const [, number = "", title = "", status = ""] = /^# (\d+)\. (.+)\n\n(Status: .+)\n/.exec(record.text) ?? [];
    expect(number.padStart(4, "0")).toBe(record.file.slice(0, 4));
    expect(title.split(" ").length).toBeGreaterThan(4);
    expect(title.split(" ").length).toBeLessThan(13);
    expect(status).toMatch(/^Status: (?:accepted|superseded)\b/);
  });
});
