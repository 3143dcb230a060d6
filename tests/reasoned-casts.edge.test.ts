import { createTestFolder } from "@gateway/testkit";
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { repository } from "./support/source-files.ts";

type Found = { code: string; filename: string };

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
  const folder = await createTestFolder();
  // The linter reads the same file, whose plugins are paths.
  const config = JSON.parse(await readFile(join(repository, ".oxlintrc.json"), "utf8")) as { jsPlugins: string[] };
  const plugins = config.jsPlugins.map((path) => join(repository, path));
  await write(folder, ".oxlintrc.json", JSON.stringify({ ...config, jsPlugins: plugins, $schema: undefined }));
  for (const path of [...sourceFolders, testFolder]) {
    for (const [index, [, code]] of cases.entries()) {
      await write(folder, fileOf(path, index), `${code}\n`);
    }
  }
  // This is the linter's JSON format.
  const { diagnostics } = JSON.parse(await lint(folder)) as { diagnostics: Found[] };
  found = new Set(diagnostics.filter(({ code }) => code === "casts(reasoned)").map(({ filename }) => filename));
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

async function write(folder: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

/** The linter exits with 1, because it finds something. */
function lint(cwd: string): Promise<string> {
  const oxlint = join(repository, "node_modules/oxlint/bin/oxlint");
  return new Promise((resolve) => {
    execFile(process.execPath, [oxlint, "--format=json"], { cwd }, (_error, stdout) => resolve(stdout));
  });
}
