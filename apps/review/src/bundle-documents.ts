import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Documents } from "./compare/compare-documents.ts";
import { objectOf, type Json, type JsonObject } from "./compare/json.ts";
import { UsageError } from "./usage-error.ts";

const require = createRequire(import.meta.url);
const redocly = join(dirname(require.resolve("@redocly/cli/package.json")), "bin/cli.js");
/** Ours, for both versions: what is compared is the documents, and no code of either version runs for it. */
const config = join(import.meta.dirname, "../bundling.yaml");

/** Every description that a folder holds, in one piece each. Its fragments lie in folders of their own. */
export async function bundleDocuments(folder: string, label: string): Promise<Documents> {
  const files = await findRoots(folder);
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await bundle(folder, file, label)] as const)),
  );
}

async function findRoots(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && /\.(?:ya?ml|json)$/.test(entry.name));
  const texts = await Promise.all(
    files.map(async ({ name }) => ({ name, text: await readFile(join(folder, name), "utf8") })),
  );
  return texts
    .filter(({ text }) => /^\s*\{?\s*["']?openapi["']?\s*:\s*["']?3\./m.test(text))
    .map(({ name }) => name)
    .sort();
}

async function bundle(folder: string, file: string, label: string): Promise<JsonObject> {
  const args = [redocly, "bundle", file, "--ext=json", `--config=${config}`];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    return objectOf(JSON.parse(stdout) as Json);
  } catch (error) {
    const reason = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
    throw new UsageError(`${file} of ${label} cannot be read as one document, so nothing was compared:\n${reason}`);
  }
}
