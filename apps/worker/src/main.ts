import { runProgram } from "@gateway/process";
import { readWorkerConfig, workerSettings } from "./config.ts";
import { startWorker } from "./start-worker.ts";

await runProgram({
  help: {
    command: "npm run worker",
    does: "Does what its time has come for: the timers of accounts, and what has to be asked of the outside.",
    settings: workerSettings,
    example: "DATABASE_URL=postgres://localhost/gateway ENCRYPTION_KEYS=$(openssl rand -base64 32) npm run worker",
  },
  stopWaitsFor: "work under way",
  readConfig: () => readWorkerConfig(process.env),
  start: (config) => startWorker(config),
  portsOf: ({ host, metricsPort }) => ({ WORKER_METRICS_PORT: { host, port: metricsPort } }),
});
