import { openDatabase } from "@gateway/database";
import type { PlatformHandlers } from "@gateway/platform/compose/run-work-item";
import { runProgram } from "@gateway/process";
import { patience } from "@gateway/testkit";
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

/** A worker with a handler of the kind `tick`, which records its beginning, waits, and records its end. */
function createTicks(url: string): PlatformHandlers {
  const { kysely } = openDatabase({ url, maxConnections: 5, ...patience });
  return {
    tick: async ({ subjectId }) => {
      const { rows } = await sql<{ number: number }>`
        insert into runs (subject_id, pid) values (${subjectId}, ${process.pid}) returning number
      `.execute(kysely);
      await opened.promise;
      return async () => {
        await sql`update runs set has_ended = true where number = ${rows[0]?.number}`.execute(kysely);
        return null;
      };
    },
  };
}

await runProgram({
  help: { command: "timers", does: "A worker of the tests.", settings: workerSettings, example: "timers" },
  stopWaitsFor: "work under way",
  readConfig: () => readWorkerConfig(process.env),
  start: (config) => startWorker(config, { handlers: createTicks(config.databaseUrl), databaseLimits: patience }),
  portsOf: ({ host, metricsPort }) => ({ WORKER_METRICS_PORT: { host, port: metricsPort } }),
});
