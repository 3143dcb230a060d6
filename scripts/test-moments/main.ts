/** `npm run test:moments`: runs the tier edge, or another command, as if it began at other moments. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { environmentOf, moments, type Moment } from "./moments.ts";

const help = `Runs the tests of the tier edge as if they began at other moments.

  npm run test:moments                                   at all moments, one after the other
  npm run test:moments -- --at leap-day                  at one of them
  npm run test:moments -- --at evening -- .ci/run        another command

The moments: ${moments.map(({ name }) => name).join(", ")}.
It needs libfaketime, which is in Debian's package faketime.`;

const repository = join(import.meta.dirname, "../..");
const edge = [process.execPath, join(repository, "node_modules/vitest/vitest.mjs"), "run", "--project", "edge"];

const { at, command, isHelp } = readArguments();
if (isHelp) {
  console.log(help);
} else {
  const library = findLibrary();
  const chosen = moments.filter(({ name }) => at === undefined || name === at);
  if (library === null || chosen.length === 0) {
    console.error(library === null ? "libfaketime is not there. Install the package faketime." : help);
    process.exitCode = 1;
  } else {
    process.exitCode = await runAtEach(chosen, library);
  }
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: { at: { type: "string" }, help: { type: "boolean" } },
      allowPositionals: true,
    });
    return { at: values.at, command: positionals.length > 0 ? positionals : edge, isHelp: values.help === true };
  } catch (error) {
    console.error(String(error));
    process.exit(1);
  }
}

function findLibrary(): string | null {
  const folders = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map((machine) => `/usr/lib/${machine}/faketime`);
  const paths = folders.map((folder) => join(folder, "libfaketimeMT.so.1"));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** The exit code of the first command that failed, or 0. */
async function runAtEach(chosen: readonly Moment[], library: string): Promise<number> {
  let exitCode = 0;
  for (const moment of chosen) {
    const nowMs = Date.now();
    console.log(`\n=== ${moment.name}: ${new Date(moment.atMs(nowMs)).toISOString()} ${moment.timeZone ?? ""}`);
    const code = await run({ ...process.env, ...environmentOf(moment, { nowMs, library }) });
    console.log(`=== ${moment.name} ${code === 0 ? "passed" : `FAILED with ${code}`}`);
    exitCode ||= code;
  }
  return exitCode;
}

function run(env: NodeJS.ProcessEnv): Promise<number> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { env, stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
