import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const require = createRequire(import.meta.url);
const script = join(dirname(require.resolve("@redocly/cli/package.json")), "bin/cli.js");

/** The folder of the documents, where Redocly CLI finds its configuration. */
const documentsFolder = dirname(fileURLToPath(import.meta.resolve("@gateway/openapi/package.json")));

/** Runs Redocly CLI in the folder of the documents and gives back what it prints; rejects with its messages. */
export async function runRedocly(args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], {
    cwd: documentsFolder,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}
