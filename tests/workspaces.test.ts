import { expect, test } from "vitest";
import { readRepositoryFile, readSourceFiles } from "./support/source-files.ts";

type Manifest = { workspaces?: string[]; scripts?: Record<string, string> };

const testFiles = readSourceFiles()
  .map(({ path }) => path)
  .filter((path) => path.endsWith(".test.ts"));

/** The workspace of a path, such as `apps/gateway`. */
const workspaceOf = (path: string): string => /^(?:(?:apps|packages)\/)?[^/]+/.exec(path)?.[0] ?? "";

const workspaces = [...new Set(testFiles.map(workspaceOf))].map((folder) => {
  const files = testFiles.filter((path) => workspaceOf(path) === folder);
  const isSystem = (path: string): boolean => path.endsWith(".system.test.ts");
  return {
    folder,
    hasUsual: files.some((path) => !isSystem(path) && !path.endsWith(".nightly.test.ts")),
    hasSystem: files.some(isSystem),
  };
});

test.each(workspaces)("$folder has a script for each tier of the gate that it has suites of", (workspace) => {
  const { folder, hasUsual, hasSystem } = workspace;
  // Our own manifest has this form. A folder without one is not a workspace.
  const { scripts = {} } = JSON.parse(readRepositoryFile(`${folder}/package.json`)) as Manifest;
  const up = folder.includes("/") ? "../.." : "..";
  expect([scripts["test"], scripts["test:system"]]).toEqual([
    hasUsual ? `vitest run --root ${up} --project facts --project edge ${folder}/` : undefined,
    // One shard of four may have no suite.
    hasSystem ? `vitest run --root ${up} --passWithNoTests --project system ${folder}/` : undefined,
  ]);
});
