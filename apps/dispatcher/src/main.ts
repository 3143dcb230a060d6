import { isUnavailable } from "@gateway/database";
import { ConfigurationError, createLogger } from "@gateway/kernel";
import { readDispatcherConfig } from "./config.ts";
import { announceExceptions, startDispatcher } from "./start-dispatcher.ts";

try {
  const config = readDispatcherConfig(process.env);
  const logger = createLogger({ name: "dispatcher", level: config.logLevel });
  const dispatcher = await startDispatcher(config, { logger });
  announceExceptions(config, logger);
  const stop = async (): Promise<void> => {
    await dispatcher.stop();
    process.exit(0);
  };
  process.once("SIGTERM", () => void stop());
  process.once("SIGINT", () => void stop());
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}

function explain(error: unknown): unknown {
  if (error instanceof ConfigurationError) {
    return error.message;
  }
  if (isUnavailable(error)) {
    return `The database does not answer (${error instanceof Error ? error.message : String(error)}). Check DATABASE_URL.`;
  }
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
    return `${error.message}. Another program has this port: set DISPATCHER_METRICS_PORT to a free one.`;
  }
  return error;
}
