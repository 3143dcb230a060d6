import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const tsc = join(root, "node_modules/typescript/bin/tsc");
const cache = join(root, "node_modules/.cache/types");

/** `checkers` are threads, each with its own types. Four, the default, cost a fifth more processor time than two. */
const projects = [
  { name: "code", folder: ".", checkers: 2 },
  { name: "docs", folder: "apps/docs/browser", checkers: 1 },
  { name: "console", folder: "apps/console/browser", checkers: 1 },
];

/** Checks all projects at once. TypeScript's state of the last run is in the cache folder. */
const state = openState();
const results = await Promise.all(projects.map((project) => checkTypes(project)));
process.stdout.write(results.map(({ text }) => text).join(""));
process.exitCode = results.some(({ hasFailed }) => hasFailed) ? 1 : 0;

/**
 * The cache folder for the current JSON files. TypeScript 7.0 sees the first change of an imported JSON file and no
 * later one (microsoft/TypeScript#64025).
 */
function openState(): string {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*.json"];
  const names = new Set(execFileSync("git", list, { cwd: root, encoding: "utf8" }).split("\0"));
  const hash = createHash("sha256");
  for (const name of [...names].filter((one) => one !== "" && existsSync(join(root, one))).sort()) {
    hash.update(`${name}\0${readFileSync(join(root, name), "utf8")}\0`);
  }
  const folder = join(cache, hash.digest("hex"));
  if (!existsSync(folder)) {
    rmSync(cache, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  return folder;
}

type Result = { text: string; hasFailed: boolean };

function checkTypes({ name, folder, checkers }: (typeof projects)[number]): Promise<Result> {
  const threads = ["--checkers", String(checkers)];
  const remembered = ["--incremental", "--tsBuildInfoFile", join(state, `${name}.tsbuildinfo`)];
  const colours = process.stdout.isTTY ? ["--pretty"] : [];
  const args = [tsc, "-p", folder, ...threads, ...remembered, ...colours];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, maxBuffer: Infinity }, (error, stdout, stderr) => {
      // A compiler that was killed prints nothing.
      const silent = error && `${error.message.trim()}: exit ${error.code ?? null}, signal ${error.signal ?? null}\n`;
      resolve({ text: stdout + stderr || (silent ?? ""), hasFailed: error !== null });
    });
  });
}
