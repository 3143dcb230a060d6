import { createUpstreams, fingerprintUpstreams, upstreamPorts } from "@gateway/forwarding";
import { createCipher, createCursorCodec, createLogger, type Clock, type Logger } from "@gateway/kernel";
import { workDueChannel } from "@gateway/engine/work";
import type { FactRoutes } from "@gateway/platform/compose/fact-route";
import { loadPorts } from "@gateway/platform/compose/load-ports";
import type { ProgramDatabase } from "@gateway/platform/compose/open-platform-database";
import { openProgramDatabase } from "@gateway/platform/compose/open-program-database";
import { createPlatform } from "@gateway/platform/compose/platform";
import type { PlatformHandlers } from "@gateway/platform/compose/run-work-item";
import { workHandlers } from "@gateway/platform/compose/work-handlers";
import { createEventRules } from "@gateway/platform/events";
import type { CreatePorts } from "@gateway/ports";
import { createSimulatedPorts } from "@gateway/simulation";
import { findDatabaseObstacle, startManagement, startWithClosers, type Closers } from "@gateway/process";
import type { WorkerConfig } from "./config.ts";
import { createWorkerMetrics } from "./metrics.ts";
import { startWorkLoop } from "./work-loop.ts";

export type WorkerOverrides = {
  logger?: Logger;
  handlers?: PlatformHandlers;
  factRoutes?: FactRoutes;
  clock?: Clock;
  /** Limits of the database: the product's unless given. */
  databaseLimits?: { connectTimeoutMs?: number; queryTimeoutMs?: number };
};

export type RunningWorker = {
  metricsPort: number;
  /** Claims nothing more, finishes items in flight, and closes the database; within 15 s. */
  stop(): Promise<void>;
};

/** An item that takes longer falls due again at the end of its lease. */
const settleMs = 10_000;

/** Resolves when the worker works. A rejection leaves nothing running. */
export function startWorker(config: WorkerConfig, overrides: WorkerOverrides = {}): Promise<RunningWorker> {
  return startWithClosers(async (closers) => {
    const logger =
      overrides.logger ?? createLogger({ name: "worker", level: config.logLevel, format: config.logFormat });
    const own = { name: "worker", maxConnections: 10, ...overrides.databaseLimits };
    const database = await openProgramDatabase(config, { ...own, logger, closers });
    const metricsPort = await startWork(config, { ...overrides, logger, database }, closers);
    database.serve();
    logger.info({ metricsPort, livemode: config.livemode, slots: config.slots }, "worker works");
    return {
      metricsPort,
      stop: async () => {
        await closers.closeAll();
        logger.info("worker stopped");
      },
    };
  });
}

type WorkDeps = Omit<WorkerOverrides, "logger"> & { logger: Logger; database: ProgramDatabase };

/** Parts stop in the reverse order of their start: notifications end, then claims, then items in flight. */
async function startWork(
  config: WorkerConfig,
  { database, logger, handlers = workHandlers, factRoutes, clock = database.clock }: WorkDeps,
  closers: Closers,
): Promise<number> {
  const cipher = createCipher(config.encryptionKeys);
  const common = {
    ...{ clock, cipher, livemode: config.livemode, workHandlers: handlers, ...(factRoutes && { factRoutes }) },
    cursors: createCursorCodec(cipher.deriveKey("cursors")),
    eventRules: createEventRules({ webhookAllowedHosts: [] }),
  };
  const ownPorts = config.livemode
    ? await loadPorts(config.portsModule, createPlatform(database, common))
    : createSimulatedPorts;
  const upstreams = createUpstreams(config, { livemode: config.livemode, now: () => clock.now() });
  closers.add(() => upstreams.close());
  const portsElsewhere = upstreamPorts(upstreams, () => clock.now());
  const createPorts: CreatePorts = (...sandbox) => ({ ...ownPorts(...sandbox), ...portsElsewhere });
  const onUndecidedRound = (symbol: string): void => metrics.roundUndecided(symbol);
  const platform = createPlatform(database, { ...common, createPorts, onUndecidedRound });
  const upstreamsFingerprint = fingerprintUpstreams(config.upstreams);
  const kinds = Object.keys(handlers);
  const metrics = createWorkerMetrics({ ...platform.work, database, kinds, upstreamsFingerprint });
  const management = await startManagement(
    { host: config.host, port: config.metricsPort },
    { metrics, findObstacle: () => findDatabaseObstacle(database) },
  );
  closers.add(() => management.stop());
  const loop = startWorkLoop({
    ...{ platform, handlers, clock, logger, metrics, slots: config.slots },
    isBehind: () => database.poolUsage().waiting > 0,
  });
  closers.add(() => loop.stop(settleMs));
  const listener = database.listen(workDueChannel, {
    onNotification: () => loop.wake(),
    onReady: () => loop.wake(),
    onLost: (error) =>
      logger.warn({ err: error }, "notifications of due work are not received; the database is polled"),
  });
  closers.add(() => listener.close());
  return management.port;
}
