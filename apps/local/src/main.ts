import { DataFolderInUseError, EmbeddedPostgresError, isUnavailable } from "@gateway/database";
import { ConfigurationError } from "@gateway/kernel";
import { startSystem, type RunningSystem } from "./app.ts";
import { portSettings, readLocalConfig, type LocalConfig } from "./config.ts";
import { welcome } from "./welcome.ts";

let config: LocalConfig | null = null;
try {
  config = readLocalConfig(process.env);
  const starting = startSystem(config, { print: (line) => console.log(line) });
  stopOnSignal(starting);
  const system = await starting;
  console.log(welcome(config, system));
  await system.failed;
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}

/** The first signal stops in order, also while everything is still starting; a second one does not wait. */
function stopOnSignal(starting: Promise<RunningSystem>): void {
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) {
      process.exit(1);
    }
    isStopping = true;
    // A start that fails is reported where it is awaited.
    const system = await starting.catch(() => null);
    await system?.stop();
    process.exit(0);
  };
  process.on("SIGINT", () => void stop());
  process.on("SIGTERM", () => void stop());
}

function explain(error: unknown): string {
  if (
    error instanceof ConfigurationError ||
    error instanceof DataFolderInUseError ||
    error instanceof EmbeddedPostgresError
  ) {
    return error.message;
  }
  if (isUnavailable(error)) {
    return `The database does not answer (${error instanceof Error ? error.message : String(error)}). Check DATABASE_URL.`;
  }
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
    return `${error.message}. Another program has this port: set ${portSettingOf(error)} to a free one.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function portSettingOf(error: Error): string {
  const port = "port" in error ? error.port : undefined;
  return portSettings.find((name) => config?.values[name] === port) ?? portSettings.join(" or ");
}
