import { ConfigurationError } from "@gateway/kernel";
import { startSystem, type RunningSystem } from "./app.ts";
import { readLocalConfig } from "./config.ts";
import { welcome } from "./welcome.ts";

try {
  const config = readLocalConfig(process.env);
  const system = await startSystem(config);
  console.log(welcome(config, system));
  stopOnSignal(system);
  await system.failed;
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}

/** The first signal stops in order; a second one does not wait. */
function stopOnSignal(system: RunningSystem): void {
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) {
      process.exit(1);
    }
    isStopping = true;
    await system.stop();
    process.exit(0);
  };
  process.on("SIGINT", () => void stop());
  process.on("SIGTERM", () => void stop());
}

function explain(error: unknown): string {
  if (error instanceof ConfigurationError) {
    return error.message;
  }
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
    return `${error.message}. Another program has this port: set GATEWAY_PORT or METRICS_PORT to a free one.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
