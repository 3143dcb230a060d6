import { matchesGlob } from "node:path";
import { describe, expect, test } from "vitest";
import { tierOf } from "./faults/read-faults.ts";
import { listRepositoryFiles, readRepositoryFile } from "./support/source-files.ts";

const files = listRepositoryFiles();
const suites = files.filter((path) => path.endsWith(".test.ts"));

type Row = { patterns: string[]; tier: string };

/** The rows of the last table of tests/README.md: promise, suites, tier. */
const rows: Row[] = readRepositoryFile("tests/README.md")
  .split("\n")
  .filter((line) => /^\|.*\.test\.ts`.* \| (?:facts|edge|system|nightly) \|$/.test(line))
  .map((line) => {
    const [, , names = "", tier = ""] = line.split("|").map((cell) => cell.trim());
    return { patterns: Array.from(names.matchAll(/`([^`]+)`/g), ([, name = ""]) => name), tier };
  });

function suitesOf({ patterns, tier }: Row): string[] {
  return suites.filter((path) => tierOf(path) === tier && patterns.some((pattern) => matchesGlob(path, pattern)));
}

describe("the table of promises", () => {
  test("names suites that are there, in the tier that it says", () => {
    const unknown = rows.flatMap(({ patterns, tier }) =>
      patterns.filter((pattern) => suitesOf({ patterns: [pattern], tier }).length === 0),
    );
    expect(unknown).toEqual([]);
    expect(rows.length).toBeGreaterThan(60);
  });

  test("has a promise for each suite that starts programs or measures time", () => {
    const named = new Set(rows.flatMap(suitesOf));
    const costly = suites.filter((path) => ["system", "nightly"].includes(tierOf(path)));
    expect(costly.filter((path) => !named.has(path))).toEqual([]);
  });
});

test("a suite that a document names is there", () => {
  const documents = files.filter((path) => path.endsWith(".md") && !path.startsWith("apps/docs/dist/"));
  const missing = documents.flatMap((path) => {
    const text = readRepositoryFile(path);
    return Array.from(text.matchAll(/(?<![\w./*-])[\w*][\w./*-]*\.test\.ts/g), ([name]) => name)
      .filter(
        (name) => !suites.some((suite) => suite === name || suite.endsWith(`/${name}`) || matchesGlob(suite, name)),
      )
      .map((name) => `${path}: ${name}`);
  });
  expect(missing).toEqual([]);
});
