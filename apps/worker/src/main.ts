import { runProgram } from "@gateway/process";
import { readWorkerConfig, workerSettings } from "./config.ts";
import { startWorker } from "./start-worker.ts";

await runProgram({
  help: {
    command: "npm run worker",
    does: "Runs due work: the timers of accounts, and calls to external systems.",
    settings: workerSettings,
    example: "DATABASE_URL=postgres://localhost/gateway ENCRYPTION_KEYS=$(openssl rand -base64 32) npm run worker",
  },
  stopWaitsFor: "work under way",
  readConfig: () => readWorkerConfig(process.env),
  start: (config) => startWorker(config),
  portsOf: ({ host, metricsPort }) => ({ WORKER_METRICS_PORT: { host, port: metricsPort } }),
});
