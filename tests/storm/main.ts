import { createProgress } from "@gateway/process";
import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { behaviours } from "./behaviours.ts";
import { renderReport } from "./render-report.ts";
import { runStorm } from "./run-storm.ts";

const options = {
  events: { type: "string", default: "5000" },
  endpoints: { type: "string", default: String(behaviours.length) },
  accounts: { type: "string", default: "5" },
  kills: { type: "string", default: "20" },
  restarts: { type: "string", default: "2" },
  seconds: { type: "string", default: "60" },
  seed: { type: "string", default: String(randomInt(2 ** 31)) },
  help: { type: "boolean", short: "h", default: false },
} as const;

const help = `Usage: npm run storm -- [OPTIONS]

Sends events to receivers that fail in every way, while dispatchers are killed and Postgres crashes, and counts what became of each.

${Object.entries(options)
  .map(
    ([name, { type, default: value }]) =>
      `  --${name}${type === "string" ? ` N   ${name === "seed" ? "a random one" : value} unless given` : ""}`,
  )
  .join("\n")}

Example:

  npm run storm -- --events 500 --seconds 20`;

const values = readArguments();
if (values.help) {
  console.log(help);
  process.exit(0);
}
console.log(`The seed of this storm is ${values.seed}. To repeat it: npm run storm -- --seed ${values.seed}`);
const interrupt = new AbortController();
process.once("SIGINT", () => {
  console.error("\nStopping; this waits for what it started to end. Ctrl-C again stops at once.");
  interrupt.abort();
});
process.once("SIGTERM", () => interrupt.abort());
const progress = createProgress();
progress.step("Starting Postgres, the endpoints and the dispatchers");
const folder = await mkdtemp(join(tmpdir(), "gateway-storm-"));
try {
  const report = await runStorm({
    events: Number(values.events),
    endpoints: Number(values.endpoints),
    accounts: Number(values.accounts),
    kills: Number(values.kills),
    restarts: Number(values.restarts),
    seed: Number(values.seed),
    stormMs: Number(values.seconds) * 1000,
    settleMs: 450_000,
    // The whole schedule in 26 s.
    retryTimeScale: 2_000,
    folder,
    print: (line) => {
      progress.step("The storm goes on");
      console.log(line);
    },
    signal: interrupt.signal,
  });
  progress.end();
  console.log(renderReport(report));
  process.exitCode = report.promises.every(({ isKept }) => isKept) ? 0 : 1;
} catch (error) {
  if (!interrupt.signal.aborted) {
    throw error;
  }
  console.log("The storm was interrupted; everything that it started is stopped.");
  process.exitCode = 1;
} finally {
  progress.end();
  await rm(folder, { recursive: true, force: true });
}

/** Ends the process with 2 and a line for an argument that there is not. */
function readArguments() {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    console.error(
      `${error instanceof Error ? error.message : String(error)}. npm run storm -- --help shows the arguments.`,
    );
    process.exit(2);
  }
}
