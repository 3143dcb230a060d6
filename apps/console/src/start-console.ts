import { operations, type OperationPolicy } from "@gateway/contract";
import { createCipher, createLogger, type Clock, type Logger } from "@gateway/kernel";
import { createConsoleSessions, openConsoleDatabase, type ConsoleDatabase } from "@gateway/platform/console";
import {
  deleteInBatches,
  startMaintenance,
  startServers,
  startWithClosers,
  type Closers,
  type RunningServers,
  createRequestObserver,
} from "@gateway/process";
import { createConsoleHandler, type ConsoleDeps } from "./app.ts";
import { startPageBuild } from "./build/start-page-build.ts";
import type { ConsoleConfig } from "./config.ts";
import { pageFolder } from "./folders.ts";
import { createConsoleMetrics, type ConsoleMetrics } from "./metrics.ts";
import { createFindAllowed } from "./proxy/allowed-operations.ts";
import { createBuiltPage } from "./serve/built-page.ts";
import { createConsoleCookies } from "./session/console-cookies.ts";
import { createIdentityProvider } from "./session/identity-provider.ts";
import { createSignInStates } from "./session/sign-in-state.ts";
import { createSignedIn } from "./session/signed-in.ts";

export type ConsoleProgramDeps = {
  print(line: string): void;
};

/** Replacements for real dependencies in a test. */
export type ConsoleOverrides = {
  clock?: Clock;
  logger?: Logger;
  folder?: string;
  startBuild?: typeof startPageBuild;
};

export type RunningConsole = RunningServers & {
  /** Settles when a build that was needed has ended, successfully or not; at once when none was needed. */
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
  const clock = overrides.clock ?? database.clock;
  const stopping = new AbortController();
  const deps = createDeps({ config, database, clock, logger, metrics, stopping: stopping.signal });
  const maintenance = startMaintenance({
    tidy: () => deleteInBatches((limit) => deps.sessions.prune(limit)),
    logger,
  });
  closers.add(() => maintenance.stop());
  const servers = await startServers({
    name: "console",
    host: config.host,
    port: config.port,
    metricsPort: config.metricsPort,
    livemode: config.livemode,
    handler: createConsoleHandler({ ...deps, page: createBuiltPage(folder), failure: build.failure }),
    metrics,
    database,
    logger,
    closers,
    onStopping: () => stopping.abort(),
  });
  return { ...servers, built: build.ended };
}

type ConsoleResources = {
  config: ConsoleConfig;
  database: ConsoleDatabase;
  clock: Clock;
  logger: Logger;
  metrics: ConsoleMetrics;
  stopping: AbortSignal;
};

function createDeps({ config, database, clock, logger, metrics, stopping }: ConsoleResources) {
  const { addresses, upstreams, livemode } = config;
  const isSecure = addresses.console.startsWith("https:");
  const cipher = createCipher(config.sessionKeys);
  const sessions = createConsoleSessions(database.kysely, { clock, cipher });
  const cookies = createConsoleCookies({ isSecure });
  const provider = createIdentityProvider({
    authUrl: addresses.auth,
    upstreamUrl: upstreams.auth,
    redirectUri: `${addresses.console}/callback`,
    clientSecret: config.clientSecret,
    clock,
  });
  return {
    observer: createRequestObserver({ logger, metrics }),
    trustedProxies: config.trustedProxies,
    docsUrl: addresses.docs,
    origin: addresses.console,
    authOrigin: addresses.auth,
    sessions,
    cookies,
    provider,
    signIns: createSignInStates({ cipher, clock }),
    signedIn: createSignedIn({ sessions, provider, cookies, clock, metrics }),
    findAllowed: createFindAllowed(operationsOf(livemode)),
    apiUrl: upstreams.api,
    stopping,
    environment: livemode ? ("production" as const) : ("sandbox" as const),
    addresses: {
      api: addresses.api,
      docs: addresses.docs,
      identity: addresses.auth,
      otherEnvironment: addresses.otherConsole,
      receiver: addresses.receiver,
    },
  } satisfies Omit<ConsoleDeps, "page" | "failure">;
}

function operationsOf(livemode: boolean): readonly OperationPolicy[] {
  const all: readonly OperationPolicy[] = Object.values(operations);
  return all.filter(({ sandboxOnly }) => !livemode || !sandboxOnly);
}
