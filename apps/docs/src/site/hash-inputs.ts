import { authOpenapi, openapi } from "@gateway/contract";
import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../folders.ts";
import type { Addresses } from "../pages/put-addresses.ts";

/** The files that the site is made of, beside the documents; the lock file stands for the tools. */
const inputs = [
  "apps/docs/{browser,errors,guides,src}/**/*.*",
  "apps/docs/*.md",
  "docs/pictures/*.png",
  "deploy/{caddy/Caddyfile,**/*.{conf,env,ini,service,sh,timer,yml}}",
  "packages/design/src/*.*",
  "{CHANGELOG,GLOSSARY}.md",
  "package-lock.json",
];

/** One hash of all inputs: a built site is fresh when it was built from the same. */
export async function hashInputs(addresses: Addresses | null): Promise<string> {
  const files = globSync(inputs, { cwd: repository }).sort();
  const hash = createHash("sha256").update(JSON.stringify([openapi(), authOpenapi(), addresses]));
  for (const file of files) {
    const content = await readFile(join(repository, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}
