import { openapi } from "@gateway/contract";
import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../folders.ts";

/** The files that the page is made of, beside the document; the lock file stands for the tools. */
const inputs = [
  "apps/console/{browser,public}/**/*.*",
  "apps/console/src/{build,session}/**/*.ts",
  "apps/console/*.{html,json,ts}",
  "packages/{client,design,kernel,webhooks}/src/**/*.*",
  "package-lock.json",
];

/** In the built folder: what it was built from. */
export const pageInputsFileName = ".inputs";

/** One hash of all inputs: a built page is fresh when it was built from the same. */
export async function hashPageInputs(): Promise<string> {
  const files = globSync(inputs, { cwd: repository }).sort();
  const hash = createHash("sha256").update(JSON.stringify(openapi()));
  for (const file of files) {
    const content = await readFile(join(repository, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}
