import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { OpenAPI3 } from "openapi-typescript";

const require = createRequire(import.meta.url);
const redocly = join(dirname(require.resolve("@redocly/cli/package.json")), "bin/cli.js");
const folder = dirname(fileURLToPath(import.meta.resolve("@gateway/openapi/package.json")));

/** The names in redocly.yaml. */
export type DescriptionName = "gateway@v1" | "auth@v1";

/** A description in one piece. References to components stay references; paths are in place. */
export async function bundleDescription(name: DescriptionName): Promise<OpenAPI3> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [redocly, "bundle", name, "--ext=json", "--component-renaming-conflicts-severity=error"],
    { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
  );
  // Redocly CLI writes the description that it has read, and the lint task has checked that it is OpenAPI 3.1.
  return JSON.parse(stdout) as OpenAPI3;
}
