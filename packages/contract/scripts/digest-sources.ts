import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.resolve("@gateway/openapi/package.json")));
const patterns = ["*.{yaml,ts}", "{auth,components,paths,preprocessors,webhooks}/**/*.{yaml,ts}"];

/**
 * SHA-256 of all sources of the bundles: it shows whether the bundles are current to a reader that runs no code. The
 * review computes it too, in apps/review/src/read-documents.ts.
 */
export async function digestSources(): Promise<string> {
  const files = globSync(patterns, { cwd: folder, exclude: ["**/*.test.ts"] });
  const hash = createHash("sha256");
  for (const file of files.map((name) => name.replaceAll("\\", "/")).sort()) {
    hash.update(`openapi/${file}\0${await readFile(join(folder, file), "utf8")}\0`);
  }
  return hash.digest("hex");
}
