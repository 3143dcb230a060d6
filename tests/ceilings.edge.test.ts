import { expect, test } from "vitest";
import { findLongLines } from "../scripts/plain-english/check-text.ts";
import { lintSamples, runOnSamples, type Samples } from "./support/lint-samples.ts";
import { listRepositoryFiles, readRepositoryFile } from "./support/source-files.ts";

const source = "packages/kernel/src/sample.ts";
const body = (lines: number): string => "  run();\n".repeat(lines);
const functionOf = (lines: number): string => `export function sample(run: () => void) {\n${body(lines - 2)}}\n`;
const fileOf = (lines: number): string => "export {};\n".repeat(lines);

test.each([
  ["a function of 70 lines", source, functionOf(70), null],
  ["a function of 71 lines", source, functionOf(71), "max-lines-per-function"],
  ["a file of 350 lines", source, fileOf(350), null],
  ["a file of 351 lines", source, fileOf(351), "max-lines"],
  ["a function of 71 lines of a screen", "apps/console/browser/sample.tsx", functionOf(71), "max-lines-per-function"],
  ["a long table of a test", "packages/kernel/test/sample.test.ts", functionOf(71), null],
])("the linter judges %s", async (_name, path, text, rule) => {
  const found = await lint({ [path]: text });
  if (rule === null) {
    expect(found).not.toMatch(/max-lines/);
  } else {
    expect(found).toContain(`eslint(${rule})`);
  }
});

test("the linter finds a circle of files, of types alone too", async () => {
  const importing = (name: string): string => `import type { Sample } from "./${name}.ts";\nexport type { Sample };\n`;
  const folder = "packages/kernel/src";
  const circle = { [`${folder}/one.ts`]: importing("other"), [`${folder}/other.ts`]: importing("one") };
  expect(await lint(circle)).toContain("import(no-cycle)");
  expect(await lint({ ...circle, [`${folder}/one.ts`]: "export type Sample = string;\n" })).not.toContain("no-cycle");
});

test("a file that nothing imports is found, and an export that only its own file uses", async () => {
  const files = {
    "package.json": JSON.stringify({ name: "sample", private: true, workspaces: ["packages/*"] }),
    "knip.json": readRepositoryFile("knip.json"),
    "packages/kernel/package.json": JSON.stringify({ name: "kernel", exports: "./src/index.ts" }),
    "packages/kernel/src/index.ts": 'export { used } from "./used.ts";\n',
    "packages/kernel/src/used.ts":
      "export const used = 1;\nexport const unused = used;\nexport type Unused = string;\n",
    "packages/kernel/src/dead.ts": "export const dead = 1;\n",
  };
  const args = ["--include", "files,exports,types", "--reporter", "compact"];
  const found = await runOnSamples("knip/bin/knip.js", args, files);
  expect(found).toContain("packages/kernel/src/used.ts: unused");
  expect(found).toContain("packages/kernel/src/used.ts: Unused");
  expect(found).toContain("packages/kernel/src/dead.ts");
  expect(found).not.toContain("index.ts");
});

test("no line of prose in Markdown has more than 120 columns", () => {
  const pages = listRepositoryFiles().filter((path) => path.endsWith(".md") && !path.includes("fixtures"));
  const long = pages.flatMap((path) => findLongLines(path, readRepositoryFile(path), new Set()));
  expect(long).toEqual([]);
  expect(pages.length).toBeGreaterThan(100);
});

/** The rules that the linter finds broken in these files. */
async function lint(samples: Samples): Promise<string> {
  return (await lintSamples(samples)).map(({ code }) => code).join(" ");
}
