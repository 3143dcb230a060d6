import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkFile } from "./check-file.ts";
import type { Finding } from "./check-text.ts";
import { compareWithLeft, countBy, folderOf, lowerLeft, roomOf, type Left, type Verdict } from "./ratchet.ts";

/**
 * Checks the language of everything that people read against the rules in `rules.ts`:
 *
 *   node scripts/plain-english/main.ts               fails when a folder has more findings than `left.json` notes
 *   node scripts/plain-english/main.ts --update      lowers the numbers in `left.json`
 *   node scripts/plain-english/main.ts --count       prints the findings by room and by rule
 *   node scripts/plain-english/main.ts --files a b   prints the findings of these files or folders, and fails if any
 */
const root = join(import.meta.dirname, "../..");
const leftFile = join(import.meta.dirname, "left.json");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "boolean" }, files: { type: "boolean" }, update: { type: "boolean" } },
});

if (values.files) {
  const chosen = positionals.map((path) => relative(root, resolve(path)));
  const findings = checkFiles(
    listFiles().filter((path) => chosen.some((one) => path === one || path.startsWith(`${one}/`))),
  );
  print(findings.map(present));
  process.exitCode = findings.length > 0 ? 1 : 0;
} else if (values.count) {
  printCounts(checkFiles(listFiles()));
} else {
  const findings = checkFiles(listFiles());
  // `--update` writes the file in this shape.
  const left = JSON.parse(readFileSync(leftFile, "utf8")) as Left;
  const verdict = compareWithLeft(findings, left);
  if (values.update) {
    writeFileSync(leftFile, `${JSON.stringify(lowerLeft(left, verdict), null, 2)}\n`);
  }
  print(presentVerdict(verdict, findings, values.update === true));
  process.exitCode = verdict.more.length > 0 ? 1 : 0;
}

/** All files that people write: those that git tracks or would track, without what is generated and what tests read. */
function listFiles(): string[] {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const names = new Set(execFileSync("git", list, { cwd: root, encoding: "utf8" }).split("\0"));
  return [...names]
    .filter((path) => path !== "" && !/(?:^|\/)(?:generated|fixtures)\//.test(path) && existsSync(join(root, path)))
    .toSorted();
}

function checkFiles(paths: readonly string[]): Finding[] {
  return paths.flatMap((path) => checkFile(path, readFileSync(join(root, path), "utf8")));
}

function present({ path, line, rule, text, write }: Finding): string {
  return `${path}:${line}  ${rule}\n    ${text}\n    write: ${write}`;
}

function presentVerdict({ more, fewer }: Verdict, findings: readonly Finding[], isUpdated: boolean): string[] {
  const folders = new Set(more.map(({ folder }) => folder));
  return [
    ...findings.filter(({ path }) => folders.has(folderOf(path))).map(present),
    ...more.map(({ folder, noted, found }) => `${folder}: ${found} findings, at most ${noted} are left over.`),
    ...(isUpdated ? [] : fewer).map(
      ({ folder, noted, found }) =>
        `${folder}: ${found} findings, ${noted} noted. Lower the number: npm run lint:text -- --update`,
    ),
    ...(more.length === 0
      ? [`Plain English: ${findings.length} findings are left, and no folder has more than noted.`]
      : []),
  ];
}

function printCounts(findings: readonly Finding[]): void {
  for (const keyOf of [(finding: Finding) => roomOf(finding.path), ({ rule }: Finding) => rule]) {
    const rows = [...countBy(findings, keyOf)].toSorted((one, other) => other[1] - one[1]);
    print([...rows.map(([key, count]) => `${String(count).padStart(6)}  ${key}`), ""]);
  }
  print([`${findings.length} findings`]);
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}
