import { createLogger } from "@gateway/kernel";
import { runProgram } from "@gateway/process";
import { dispatcherSettings, readDispatcherConfig } from "./config.ts";
import { announceExceptions, startDispatcher } from "./start-dispatcher.ts";

await runProgram({
  help: {
    command: "npm run dispatcher",
    does: "Sends events to webhooks, and mails.",
    settings: dispatcherSettings,
    example: "DATABASE_URL=postgres://localhost/gateway ENCRYPTION_KEYS=$(openssl rand -base64 32) npm run dispatcher",
  },
  stopWaitsFor: "attempts in flight and their outcomes",
  readConfig: () => readDispatcherConfig(process.env),
  start: async (config) => {
    const logger = createLogger({ name: "dispatcher", level: config.logLevel, format: config.logFormat });
    const dispatcher = await startDispatcher(config, { logger });
    announceExceptions(config, logger);
    return dispatcher;
  },
  portsOf: ({ host, metricsPort }) => ({ DISPATCHER_METRICS_PORT: { host, port: metricsPort } }),
});
