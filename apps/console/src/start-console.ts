import { createLogger, type Clock, type Logger } from "@gateway/kernel";
import { openConsoleDatabase } from "@gateway/platform";
import { startServers, startWithClosers, type Closers, type RunningServers } from "@gateway/process";
import { createConsoleHandler } from "./app.ts";
import { startPageBuild } from "./build/start-page-build.ts";
import type { ConsoleConfig } from "./config.ts";
import { pageFolder } from "./folders.ts";
import { createConsoleMetrics } from "./metrics.ts";
import { createConsoleObserver } from "./observer.ts";
import { createBuiltPage } from "./serve/built-page.ts";

export type ConsoleProgramDeps = {
  /** What a person at the terminal should see as it happens, a line a call. */
  print(line: string): void;
};

/** What a test may put in the place of the real thing. */
export type ConsoleOverrides = {
  clock?: Clock;
  logger?: Logger;
  /** Of the built page. */
  folder?: string;
  startBuild?: typeof startPageBuild;
};

export type RunningConsole = RunningServers & {
  /** Settles when the build that was needed has ended, well or not; at once when none was. */
  built: Promise<void>;
};

const defaultConnections = 5;

/** Rejects with nothing left running. */
export function startConsole(
  config: ConsoleConfig,
  deps: ConsoleProgramDeps,
  overrides: ConsoleOverrides = {},
): Promise<RunningConsole> {
  return startWithClosers((closers) => start(config, { ...deps, closers }, overrides));
}

async function start(
  config: ConsoleConfig,
  { print, closers }: ConsoleProgramDeps & { closers: Closers },
  { folder = pageFolder, startBuild = startPageBuild, ...overrides }: ConsoleOverrides,
): Promise<RunningConsole> {
  const logger =
    overrides.logger ?? createLogger({ name: "console", level: config.logLevel, format: config.logFormat });
  const database = await openConsoleDatabase({
    url: config.databaseUrl,
    maxConnections: config.databasePool ?? defaultConnections,
    logger,
  });
  closers.add(() => database.close());
  const build = await startBuild(folder, print);
  closers.add(() => build.stop());
  const metrics = createConsoleMetrics({ database });
  const servers = await startServers({
    name: "console",
    host: config.host,
    port: config.port,
    metricsPort: config.metricsPort,
    livemode: config.livemode,
    handler: createConsoleHandler({
      observer: createConsoleObserver({ logger, metrics }),
      isSecure: config.addresses.console.startsWith("https:"),
      trustedProxies: config.trustedProxies,
      docsUrl: config.addresses.docs,
      page: createBuiltPage(folder),
      failure: build.failure,
    }),
    metrics,
    database,
    logger,
    closers,
  });
  return { ...servers, built: build.ended };
}
