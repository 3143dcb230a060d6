import { startEmbeddedPostgres } from "@gateway/database";
import type { RunningConsole } from "@gateway/console";
import type { RunningDocs } from "@gateway/docs";
import type { RunningGateway } from "@gateway/gateway";
import { startWithClosers, type Closers } from "@gateway/process";
import type { RunningReceiver } from "@gateway/receiver";
import type { LocalConfig } from "./config.ts";
import type { Demo } from "./demo.ts";

export type RunningSystem = {
  port: number;
  directPorts: RunningGateway["directPorts"];
  metricsPort: number;
  authPort: number;
  authMetricsPort: number;
  dispatcherMetricsPort: number;
  workerMetricsPort: number;
  docs: Pick<RunningDocs, "url" | "built">;
  /** Null without a configured console. */
  console: (Pick<RunningConsole, "metricsPort" | "built"> & { url: string }) | null;
  /** Only in the sandbox. */
  receiver: Pick<RunningReceiver, "url" | "secretFile"> | null;
  /** The demo account, known only at the first start in the sandbox. */
  demo: Demo | null;
  /** Rejects when the embedded Postgres ends by itself. */
  failed: Promise<never>;
  stop(): Promise<void>;
};

/** Prints lines for a person at the terminal at once. */
export type LocalDeps = {
  print(line: string): void;
  step?(text: string): void;
};

/**
 * Starts everything on this machine, and creates a demo account at the first start. Stops in the opposite order, even
 * when it rejects, so that nothing is left behind.
 */
export function startSystem(config: LocalConfig, deps: LocalDeps): Promise<RunningSystem> {
  const failed = Promise.withResolvers<never>();
  // A caller that waits sees the rejection. Without one, it is not an unhandled rejection.
  failed.promise.catch(() => {});
  const onPostgresExit = (error: Error): void => failed.reject(error);
  return startWithClosers(async (closers) => {
    // Postgres starts in a process of its own, while this one loads the programs.
    const [databaseUrl, { startPrograms }] = await Promise.all([
      startOwnPostgres(config, { ...deps, onPostgresExit, closers }),
      import("./start-programs.ts"),
    ]);
    const running = await startPrograms({ ...config, databaseUrl }, { ...deps, closers });
    return { ...running, failed: failed.promise, stop: () => closers.closeAll() };
  });
}

type StartDeps = LocalDeps & {
  onPostgresExit(error: Error): void;
  closers: Closers;
};

/** The URL of a server that is started here, unless another one is given. */
async function startOwnPostgres(
  { values, dataDir }: LocalConfig,
  { step = () => {}, onPostgresExit, closers }: StartDeps,
): Promise<string> {
  if (values.DATABASE_URL !== null) {
    return values.DATABASE_URL;
  }
  step("Starting Postgres");
  const postgres = await startEmbeddedPostgres({ dataDir, onExit: onPostgresExit, onLine: step });
  closers.add(() => postgres.stop());
  return postgres.url;
}
