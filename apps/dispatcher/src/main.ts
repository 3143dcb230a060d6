import { createLogger } from "@gateway/kernel";
import { runProgram } from "@gateway/process";
import { readDispatcherConfig } from "./config.ts";
import { announceExceptions, startDispatcher } from "./start-dispatcher.ts";

await runProgram({
  readConfig: () => readDispatcherConfig(process.env),
  start: async (config) => {
    const logger = createLogger({ name: "dispatcher", level: config.logLevel });
    const dispatcher = await startDispatcher(config, { logger });
    announceExceptions(config, logger);
    return dispatcher;
  },
  portsOf: ({ host, metricsPort }) => ({ DISPATCHER_METRICS_PORT: { host, port: metricsPort } }),
});
