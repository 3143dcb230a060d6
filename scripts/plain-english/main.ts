import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { checkFile } from "./check-file.ts";
import type { Finding } from "./check-text.ts";

/**
 * Checks the language of everything that people read against the rules in `rules.ts`. Prints each finding with its
 * place and what to write instead, and exits with 1 when there is any:
 *
 *   node scripts/plain-english/main.ts [file or folder ...]
 */
const root = join(import.meta.dirname, "../..");
const chosen = process.argv.slice(2).map((path) => relative(root, resolve(path)));
const isChosen = (path: string): boolean =>
  chosen.length === 0 || chosen.some((one) => path === one || path.startsWith(`${one}/`));

const paths = listFiles().filter(isChosen);
const findings = paths.flatMap((path) => checkFile(path, readFileSync(join(root, path), "utf8")));
const lines = [...findings.map(present), `Plain English: ${paths.length} files, ${findings.length} findings.`];
process.stdout.write(`${lines.join("\n")}\n`);
process.exitCode = findings.length > 0 ? 1 : 0;

/** All files that people write: those that git tracks or would track, without generated files and fixtures of tests. */
function listFiles(): string[] {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const names = new Set(execFileSync("git", list, { cwd: root, encoding: "utf8" }).split("\0"));
  return [...names]
    .filter((path) => path !== "" && !/(?:^|\/)(?:generated|fixtures)\//.test(path) && existsSync(join(root, path)))
    .toSorted();
}

function present({ path, line, rule, text, write }: Finding): string {
  return `${path}:${line}  ${rule}\n    ${text}\n    write: ${write}`;
}
