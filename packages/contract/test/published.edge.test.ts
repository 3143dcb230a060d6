import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bundleDescription } from "../scripts/bundle-description.ts";
import { enforcedOpenapi, openapi, operations, withoutSandbox, type OperationPolicy } from "../src/index.ts";

const redocly = join(dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")), "bin/cli.js");
const folder = dirname(fileURLToPath(import.meta.resolve("@gateway/openapi/package.json")));

test.each(["published-gateway@v1", "published-auth@v1"])("%s keeps every rule, as it is checked in", async (name) => {
  expect(await lint(name)).toEqual({ problems: [], isValid: true });
});

test("what we hold ourselves to is the document as it is written, every object closed", async () => {
  const written = await bundleDescription("gateway@v1");
  expect(enforcedOpenapi()).toEqual(written);
  expect(openapi()).not.toEqual(written);
});

test("what is open says nothing of other fields: generators make maps of what lets any pass", () => {
  expect(JSON.stringify(openapi())).not.toMatch(/"additionalProperties":(?:true|\{\})/);
});

test("production's document has the paths that not only the sandbox has, and is the same otherwise", () => {
  const whole = openapi();
  const { paths, ...rest } = withoutSandbox(whole);
  const elsewhere = Object.values<OperationPolicy>(operations).filter(({ sandboxOnly }) => !sandboxOnly);
  expect(Object.keys(paths)).toEqual([...new Set(elsewhere.map(({ path }) => path))]);
  expect(Object.keys(paths).length).toBeLessThan(Object.keys(whole.paths).length);
  expect({ paths: { ...whole.paths, ...paths }, ...rest }).toEqual(whole);
});

function lint(name: string): Promise<{ problems: string[]; isValid: boolean }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [redocly, "lint", name, "--format=json"], { cwd: folder }, (error, stdout) => {
      // Redocly CLI writes its report.
      const { problems } = JSON.parse(stdout) as { problems: { message: string }[] };
      resolve({ problems: problems.map(({ message }) => message), isValid: error === null });
    });
  });
}
