import { createTestFolder } from "@gateway/testkit";
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { findLongLines } from "../scripts/plain-english/check-text.ts";
import { listRepositoryFiles, readRepositoryFile, repository } from "./support/source-files.ts";

type Rules = Record<string, unknown>;
type Config = { rules: Rules; overrides: { rules: Rules }[]; jsPlugins?: unknown };

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
  const folder = await createTestFolder();
  const files = {
    "package.json": JSON.stringify({ name: "sample", private: true, workspaces: ["packages/*"] }),
    "knip.json": readRepositoryFile("knip.json"),
    "packages/kernel/package.json": JSON.stringify({ name: "kernel", exports: "./src/index.ts" }),
    "packages/kernel/src/index.ts": 'export { used } from "./used.ts";\n',
    "packages/kernel/src/used.ts":
      "export const used = 1;\nexport const unused = used;\nexport type Unused = string;\n",
    "packages/kernel/src/dead.ts": "export const dead = 1;\n",
  };
  await writeFiles(folder, files);
  const found = await run("knip/bin/knip.js", ["--include", "files,exports,types", "--reporter", "compact"], folder);
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

/** The linter's output for files, with the rules of the repository except those of our own plugins. */
async function lint(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await createTestFolder();
  const { jsPlugins: _ours, ...config } = JSON.parse(readRepositoryFile(".oxlintrc.json")) as Config;
  const isOurs = ([name]: [string, unknown]): boolean => /^(?:amounts|casts)\//.test(name);
  const overrides = config.overrides.map(({ rules, ...override }) => ({
    ...override,
    rules: Object.fromEntries(Object.entries(rules).filter((rule) => !isOurs(rule))),
  }));
  await writeFile(join(folder, ".oxlintrc.json"), JSON.stringify({ ...config, overrides }));
  await writeFiles(folder, files);
  return run("oxlint/bin/oxlint", [], folder);
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** The output of a program of `node_modules` in a folder. Linters exit with 1 when they find something. */
function run(program: string, args: readonly string[], folder: string): Promise<string> {
  const script = join(repository, "node_modules", program);
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd: folder }, (_error, stdout) => resolve(stdout));
  });
}
