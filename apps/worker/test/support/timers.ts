import { openDatabase } from "@gateway/database";
import type { WorkHandlers } from "@gateway/platform";
import { runProgram } from "@gateway/process";
import { sql } from "kysely";
import { readWorkerConfig, workerSettings } from "../../src/config.ts";
import { startWorker } from "../../src/start-worker.ts";

/** With `HOLD_WORK`, work that has begun ends after SIGUSR2 and not before. */
const opened = Promise.withResolvers<void>();
process.once("SIGUSR2", () => opened.resolve());
if (process.env["HOLD_WORK"] === undefined) {
  opened.resolve();
}
process.once("SIGTERM", () => console.log("SIGTERM came"));

/** The worker, for work of the kind `tick`: it writes down when it began, waits, and writes down when it ended. */
function createTicks(url: string): WorkHandlers {
  const { kysely } = openDatabase({ url, maxConnections: 5, connectTimeoutMs: 30_000, queryTimeoutMs: 30_000 });
  const now = (): number => performance.timeOrigin + performance.now();
  return {
    tick: async ({ subjectId }) => {
      const began = now();
      await sql`insert into runs values (${subjectId}, ${process.pid}, ${began})`.execute(kysely);
      await opened.promise;
      return async () => {
        const ofRun = sql`subject_id = ${subjectId} and pid = ${process.pid} and began = ${began}`;
        await sql`update runs set ended = ${now()} where ${ofRun}`.execute(kysely);
        return null;
      };
    },
  };
}

await runProgram({
  help: { command: "timers", does: "A worker of the tests.", settings: workerSettings, example: "timers" },
  stopWaitsFor: "work under way",
  readConfig: () => readWorkerConfig(process.env),
  start: (config) => startWorker(config, { handlers: createTicks(config.databaseUrl) }),
  portsOf: ({ host, metricsPort }) => ({ WORKER_METRICS_PORT: { host, port: metricsPort } }),
});
