import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { behaviours } from "./behaviours.ts";
import { renderReport } from "./render-report.ts";
import { runStorm } from "./run-storm.ts";

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "5000" },
    endpoints: { type: "string", default: String(behaviours.length) },
    accounts: { type: "string", default: "5" },
    kills: { type: "string", default: "20" },
    restarts: { type: "string", default: "2" },
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
  },
});
console.log(`The seed of this storm is ${values.seed}. To repeat it: npm run storm -- --seed ${values.seed}`);
const interrupt = new AbortController();
process.once("SIGINT", () => interrupt.abort());
process.once("SIGTERM", () => interrupt.abort());
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
    print: (line) => console.log(line),
    signal: interrupt.signal,
  });
  console.log(renderReport(report));
  process.exitCode = report.promises.every(({ isKept }) => isKept) ? 0 : 1;
} catch (error) {
  if (!interrupt.signal.aborted) {
    throw error;
  }
  console.log("The storm was interrupted; everything that it started is stopped.");
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
