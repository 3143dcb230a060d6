import { openDatabase } from "@gateway/database";
import type { WorkHandlers } from "@gateway/platform";
import { runProgram } from "@gateway/process";
import { sql } from "kysely";
import { setTimeout as delay } from "node:timers/promises";
import { readWorkerConfig, workerSettings } from "../../src/config.ts";
import { startWorker } from "../../src/start-worker.ts";

const workMs = Number(process.env["WORK_MS"] ?? 0);

/** The worker, for work of the kind `tick`: it writes down when it began, waits, and writes down when it ended. */
function createTicks(url: string): WorkHandlers {
  const { kysely } = openDatabase({ url, maxConnections: 5, connectTimeoutMs: 30_000, queryTimeoutMs: 30_000 });
  const now = (): number => performance.timeOrigin + performance.now();
  return {
    tick: async ({ subjectId }) => {
      const began = now();
      await sql`insert into runs values (${subjectId}, ${process.pid}, ${began})`.execute(kysely);
      await delay(workMs);
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
