import { createCipher, createCursorCodec, type Clock, type Logger } from "@gateway/kernel";
import {
  createEventRules,
  createPlatform,
  openPlatformDatabase,
  workDueChannel,
  type FactRoutes,
  type ProgramDatabase,
  type WorkHandlers,
} from "@gateway/platform";
import { findDatabaseObstacle, startManagement, startWithClosers, type Closers } from "@gateway/process";
import type { WorkerConfig } from "./config.ts";
import { createWorkerMetrics } from "./metrics.ts";
import { startWorkLoop } from "./work-loop.ts";

export type WorkerDeps = {
  logger: Logger;
  handlers: WorkHandlers;
  factRoutes?: FactRoutes;
  /** Postgres' unless given. */
  clock?: Clock;
};

export type RunningWorker = {
  metricsPort: number;
  /** Claims nothing more, finishes what is under way, and lets go of the database; within 15 s. */
  stop(): Promise<void>;
};

/** What is not done by then falls due again with the end of its lease. */
const settleMs = 10_000;

/** Works when it resolves. Rejects, with nothing left running, when something is in the way. */
export function startWorker(config: WorkerConfig, deps: WorkerDeps): Promise<RunningWorker> {
  return startWithClosers(async (closers) => {
    const { logger } = deps;
    const database = await openOwnDatabase(config, logger, closers);
    const metricsPort = await startWork(config, { ...deps, database }, closers);
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

async function openOwnDatabase(config: WorkerConfig, logger: Logger, closers: Closers): Promise<ProgramDatabase> {
  const database = await openPlatformDatabase({
    url: config.databaseUrl,
    directUrl: config.directUrl,
    livemode: config.livemode,
    logger,
    encryptionKeys: config.encryptionKeys,
    applicationName: "worker",
    maxConnections: config.databasePool ?? 10,
  });
  closers.add(() => database.close());
  return database;
}

/** What is started last stops first: no more is heard of, no more is claimed, then what is under way ends. */
async function startWork(
  config: WorkerConfig,
  { database, logger, handlers, factRoutes = {}, clock = database.clock }: WorkerDeps & { database: ProgramDatabase },
  closers: Closers,
): Promise<number> {
  const cipher = createCipher(config.encryptionKeys);
  const platform = createPlatform(database, {
    ...{ clock, cipher, factRoutes, livemode: config.livemode },
    cursors: createCursorCodec(cipher.deriveKey("cursors")),
    eventRules: createEventRules({ webhookAllowedHosts: [] }),
  });
  const metrics = createWorkerMetrics({ ...platform.work, database });
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
    onLost: (error) => logger.warn({ err: error }, "work that falls due is not heard of; it is looked for"),
  });
  closers.add(() => listener.close());
  return management.port;
}
