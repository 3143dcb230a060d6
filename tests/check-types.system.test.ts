import { createTestFolder } from "@gateway/testkit";
import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { repository } from "./support/source-files.ts";

/** A small repository with the three projects, checked by the script of `npm run typecheck`. */
let folder: string;

beforeEach(async () => {
  folder = await createTestFolder();
  await run("git", ["init", "--quiet"]);
  await cp(join(repository, "scripts/check-types.ts"), join(folder, "scripts/check-types.ts"));
  await cp(join(repository, "tsconfig.base.json"), join(folder, "tsconfig.base.json"));
  await mkdir(join(folder, "node_modules"));
  await symlink(join(repository, "node_modules/typescript"), join(folder, "node_modules/typescript"));
  await write(".gitignore", "node_modules\n");
  await write("package.json", JSON.stringify({ type: "module" }));
  const compilerOptions = { types: [] };
  await write("tsconfig.json", JSON.stringify({ extends: "./tsconfig.base.json", compilerOptions, include: ["src"] }));
  await write("src/settings.json", '{ "limit": 1 }');
  await write(
    "src/limit.ts",
    'import settings from "./settings.json" with { type: "json" };\nexport const { limit } = settings;\n',
  );
  await write("src/double.ts", 'import { limit } from "./limit.ts";\nexport const double: number = limit * 2;\n');
  for (const app of ["apps/docs/browser", "apps/console/browser"]) {
    await write(`${app}/tsconfig.json`, JSON.stringify({ extends: "../../../tsconfig.base.json", compilerOptions }));
    await write(`${app}/page.ts`, 'export const title: string = "Page";\n');
  }
});

describe("npm run typecheck", () => {
  test("leaves out what a package builds, because npm run check builds it again meanwhile", async () => {
    await write("packages/upstream/dist/index.d.ts", "export declare const limit: Unknown;\n");
    const { exclude } = JSON.parse(await readFile(join(repository, "tsconfig.json"), "utf8"));
    const compilerOptions = { types: [], skipLibCheck: false };
    const include = ["src", "packages/**/*.ts"];
    await write(
      "tsconfig.json",
      JSON.stringify({ extends: "./tsconfig.base.json", compilerOptions, include, exclude }),
    );
    expect(await checkTypes()).toEqual({ code: 0, faults: [] });
  });

  test("passes, and names what is wrong in all three projects in one run", async () => {
    expect(await checkTypes()).toEqual({ code: 0, faults: [] });
    const wrong = "export const title: string = 1;\n";
    await write("apps/docs/browser/page.ts", wrong);
    await write("apps/console/browser/page.ts", wrong);
    await write("src/double.ts", 'import { limit } from "./limit.ts";\nexport const double: string = limit * 2;\n');
    const faults = ["apps/console/browser/page.ts(1,14)", "apps/docs/browser/page.ts(1,14)", "src/double.ts(2,14)"];
    expect(await checkTypes()).toEqual({ code: 1, faults });
  });

  test("names a fault again while it is there, and passes when it is gone", async () => {
    await write("apps/docs/browser/page.ts", "export const title: string = 1;\n");
    const answer = { code: 1, faults: ["apps/docs/browser/page.ts(1,14)"] };
    expect([await checkTypes(), await checkTypes()]).toEqual([answer, answer]);
    await write("apps/docs/browser/page.ts", 'export const title: string = "Page";\n');
    expect(await checkTypes()).toEqual({ code: 0, faults: [] });
  });

  test("finds what a change breaks in a file that did not change", async () => {
    expect(await checkTypes()).toEqual({ code: 0, faults: [] });
    await write("src/limit.ts", 'export const limit = "1";\n');
    expect(await checkTypes()).toEqual({ code: 1, faults: ["src/double.ts(2,31)"] });
  });

  test("finds what a JSON file breaks when it changes for the second time", async () => {
    expect(await checkTypes()).toEqual({ code: 0, faults: [] });
    await write("src/settings.json", '{ "limit": 2 }');
    expect(await checkTypes()).toEqual({ code: 0, faults: [] });
    await write("src/settings.json", "{}");
    expect(await checkTypes()).toEqual({ code: 1, faults: ["src/limit.ts(2,16)"] });
    await write("src/settings.json", '{ "limit": 3 }');
    expect(await checkTypes()).toEqual({ code: 0, faults: [] });
  });
});

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

/** The exit code, and where the faults are, in order. */
async function checkTypes(): Promise<{ code: number; faults: string[] }> {
  const { code, text } = await run(process.execPath, ["scripts/check-types.ts"]);
  const faults = Array.from(text.matchAll(/^(\S+\(\d+,\d+\)): error/gm), ([, place = ""]) => place).toSorted();
  return { code, faults };
}

function run(program: string, args: string[]): Promise<{ code: number; text: string }> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, text: stdout + stderr });
    });
  });
}
