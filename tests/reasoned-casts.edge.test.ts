import { beforeAll, describe, expect, test } from "vitest";
import { lintSamples } from "./support/lint-samples.ts";

const refused: [name: string, code: string][] = [
  ["a cast of a declaration", "export const one = given as string;"],
  ["a cast of a cast", "export const one = given as unknown as string;"],
  ["a cast of an argument", "take(given as string);"],
  ["a cast of an attribute", "export const one = (\n  <p\n    title={given as string}\n  />\n);"],
  ["a cast below the comment of its function", "/** Text. */\nexport function one() {\n  return given as string;\n}"],
  ["a cast below the comment of another statement", "// Text.\ntake(given);\nexport const one = given as string;"],
  ["a cast below the comment of another member", "take({\n  // Text.\n  one: given,\n  other: given as string,\n});"],
  ["a cast below a comment behind a statement", "take(given); // Text.\ntake(given as string);"],
  ["a cast below an instruction to a tool", "// @ts-expect-error\ntake(given as string);"],
];
const taken: [name: string, code: string][] = [
  ["as const", "export const one = [1] as const;"],
  ["satisfies", "export const one = [1] satisfies number[];"],
  ["a cast with a comment above its statement", "// Text.\nexport const one = given as string;"],
  ["a cast with a comment above its declaration", "/** Text. */\nexport const one = () => given as string;"],
  ["a cast of several lines with a comment above", "// Text.\nexport const one = [\n  given,\n] as string[];"],
  ["a cast with a comment above it in a statement", "take(\n  given,\n  // Text.\n  given as string,\n);"],
  ["a cast with a comment above its member", "take({\n  one: given,\n  // Text.\n  other: given as string,\n});"],
  ["a cast with a comment in a choice", "take(\n  given\n    ? // Text.\n      (given as string)\n    : null,\n);"],
  ["a cast with a comment on its line", "take(given as string); // Text."],
  ["a cast of an attribute with a comment above", "take(\n  <p\n    // Text.\n    title={given as string}\n  />,\n);"],
];
const sourceFolders = [
  "apps/auth/src/pages",
  "apps/console/browser/screens/keys",
  "packages/kernel/src",
  "openapi/rules",
  "scripts/lint",
];
const testFolder = "packages/kernel/test";
const cases = [...refused, ...taken];

/** The files in which the repository's own configuration finds a cast without a reason. */
let found: Set<string>;

beforeAll(async () => {
  const samples = [...sourceFolders, testFolder].flatMap((folder) =>
    cases.map(([, code], index) => [fileOf(folder, index), `${code}\n`]),
  );
  const findings = await lintSamples(Object.fromEntries(samples));
  found = new Set(findings.filter(({ code }) => code === "casts(reasoned)").map(({ filename }) => filename));
});

describe.each(sourceFolders)("in %s", (folder) => {
  test.each(refused)("%s is an error", (name) => {
    expect(found).toContain(fileOf(folder, indexOf(name)));
  });

  test.each(taken)("%s is taken", (name) => {
    expect(found).not.toContain(fileOf(folder, indexOf(name)));
  });
});

test("tests cast without a reason", () => {
  expect([...found].filter((path) => path.startsWith(testFolder))).toEqual([]);
});

function fileOf(folder: string, index: number): string {
  return `${folder}/sample-${index}.tsx`;
}

function indexOf(name: string): number {
  return cases.findIndex(([one]) => one === name);
}
