/** `npm run test:moments`: runs the tier edge, or another command, as if it began at other moments. */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { moments, shiftSecondsOf, type Moment } from "./moments.ts";

const help = `Runs the tests of the tier edge as if they began at other moments.

  npm run test:moments                                   all moments in turn
  npm run test:moments -- --at leap-day                  one moment
  npm run test:moments -- --at evening -- .ci/run        another command

The moments: ${moments.map(({ name }) => name).join(", ")}.
It needs a C compiler, cc.`;

const repository = join(import.meta.dirname, "../..");
const edge = [process.execPath, join(repository, "node_modules/vitest/vitest.mjs"), "run", "--project", "edge"];

const { at, command, isHelp } = readArguments();
if (isHelp) {
  console.log(help);
} else {
  const chosen = moments.filter(({ name }) => at === undefined || name === at);
  if (chosen.length === 0) {
    console.error(help);
    process.exitCode = 1;
  } else {
    process.exitCode = await runAtEach(chosen);
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

/** The exit code of the first command that failed, or 0. */
async function runAtEach(chosen: readonly Moment[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "gateway-moments-"));
  // The embedded Postgres runs as another user when we are root.
  chmodSync(folder, 0o755);
  let exitCode = 0;
  try {
    for (const moment of chosen) {
      const { name, timeZone } = moment;
      const nowMs = Date.now();
      console.log(`\n=== ${name}: ${new Date(moment.atMs(nowMs)).toISOString()} ${timeZone ?? ""}`);
      const library = compile(join(folder, `${name}.so`), shiftSecondsOf(moment, nowMs));
      const code = await run({ ...process.env, LD_PRELOAD: library, ...(timeZone !== undefined && { TZ: timeZone }) });
      console.log(`=== ${name} ${code === 0 ? "passed" : `FAILED with ${code}`}`);
      exitCode ||= code;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return exitCode;
}

/** Compiles the shift into the library, so that a program only has to pass on `LD_PRELOAD`. */
function compile(library: string, shiftSeconds: number): string {
  const source = join(import.meta.dirname, "shifted-clock.c");
  execFileSync("cc", ["-shared", "-fPIC", "-O2", `-DSHIFT_SECONDS=(${shiftSeconds})`, "-o", library, source]);
  return library;
}

function run(env: NodeJS.ProcessEnv): Promise<number> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { env, stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
