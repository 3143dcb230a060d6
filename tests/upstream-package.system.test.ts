import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { repository } from "./support/source-files.ts";

test("the package for those who write an upstream passes publint and are-the-types-wrong, and brings jose alone", async () => {
  const run = promisify(execFile);
  const { stdout } = await run("npm", ["run", "check", "-w", "packages/upstream"], { cwd: repository });
  expect(stdout).toContain("All good!");
  const manifest = await run("npm", ["pkg", "get", "dependencies", "devDependencies"], {
    cwd: `${repository}/packages/upstream/dist`,
  });
  expect(JSON.parse(manifest.stdout)).toEqual({ dependencies: { jose: expect.any(String) } });
});
