import { readFile } from "node:fs/promises";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { deliveriesDueChannel, mailsWaiting } from "@gateway/engine/wake-dispatchers";
import { openMailQueue } from "@gateway/platform/compose/open-mail-queue";
import type { ProgramDatabase } from "@gateway/platform/compose/open-platform-database";
import { openProgramDatabase } from "@gateway/platform/compose/open-program-database";
import { createDeliveryQueue, type LookupAddresses } from "@gateway/platform/events";
import { type Clock, createCipher, createLogger, createTypeIds, type Logger } from "@gateway/kernel";
import { findDatabaseObstacle, startManagement, startWithClosers, type Closers } from "@gateway/process";
import type { DispatcherConfig } from "./config.ts";
import { startBacklogWatch } from "./backlog-watch.ts";
import { startDispatchLoop } from "./dispatch-loop.ts";
import { startMailLoop } from "./mail/mail-loop.ts";
import { createMailSender } from "./mail/mail-sender.ts";
import { createDispatcherMetrics } from "./metrics.ts";
import { createOutcomeRecorder } from "./outcome-recorder.ts";
import { attemptTimeoutMs, deliver, type DeliverDeps } from "./sending/deliver.ts";
import { createGuardedConnector } from "./sending/guarded-connector.ts";
import { createLookupAddresses } from "./sending/lookup-addresses.ts";
import { createOriginPools } from "./sending/origin-pools.ts";
import { createSigner } from "./sending/signer.ts";
import { startStallWatch } from "./stall-watch.ts";
import { createFindTarget } from "./sending/find-target.ts";

export type DispatcherOverrides = {
  clock?: Clock;
  logger?: Logger;
  lookup?: LookupAddresses;
  /** A number from 0 to 1 that places retries within their tolerance. */
  random?: () => number;
  /** Called with the place where each mail went, for a person at a terminal. The log has it in any case. */
  onMail?: (where: string) => void;
  /** Sends to `http:` addresses too, for measurements. No setting sets it. */
  allowsPlainHttp?: boolean;
  /** Limits of the database: the product's unless given. */
  databaseLimits?: { connectTimeoutMs?: number; queryTimeoutMs?: number };
  /** Limit of an attempt: 5 s unless given. */
  timeoutMs?: number;
  backlogEveryMs?: number;
};

export type RunningDispatcher = {
  metricsPort: number;
  /** Claims nothing more, finishes and records attempts in flight, and closes the database; within 15 s. */
  stop(): Promise<void>;
};

/** An attempt ends within 5 s. */
const settleMs = 6_000;
const recordMs = 2_500;
/** A claim may bring back dozens of bodies of nearly a megabyte. */
const queryTimeoutMs = 3_000;

/** Resolves when the dispatcher works. A rejection leaves nothing running. */
export function startDispatcher(
  config: DispatcherConfig,
  overrides: DispatcherOverrides = {},
): Promise<RunningDispatcher> {
  return startWithClosers(async (closers) => {
    const logger =
      overrides.logger ?? createLogger({ name: "dispatcher", level: config.logLevel, format: config.logFormat });
    const own = { name: "dispatcher", maxConnections: 5, queryTimeoutMs, ...overrides.databaseLimits };
    const database = await openProgramDatabase(config, { ...own, logger, closers });
    const clock = overrides.clock ?? database.clock;
    const sending = await createSending(config, { ...overrides, clock }, closers);
    const metricsPort = await startWork(config, { ...overrides, clock, logger, database, sending }, closers);
    database.serve();
    logger.info({ metricsPort, livemode: config.livemode, slots: config.slots }, "dispatcher works");
    return {
      metricsPort,
      stop: async () => {
        await closers.closeAll();
        logger.info("dispatcher stopped");
      },
    };
  });
}

async function createSending(
  config: DispatcherConfig,
  { clock, lookup, allowsPlainHttp = false, timeoutMs = attemptTimeoutMs }: DispatcherOverrides & { clock: Clock },
  closers: Closers,
): Promise<DeliverDeps> {
  const rules = { allowedHosts: config.allowedHosts };
  const connect = createGuardedConnector({
    ...rules,
    lookup: lookup ?? createLookupAddresses(rules),
    secureContext: await trustAuthorities(config.extraCaFiles),
    timeoutMs,
  });
  const pools = createOriginPools(connect);
  closers.add(() => pools.close());
  return {
    pools,
    sign: createSigner(createCipher(config.encryptionKeys)),
    clock,
    timeoutMs,
    findTarget: createFindTarget({ ...rules, allowsPlainHttp }),
  };
}

/** The public authorities that Node has, and in development the configured ones. */
async function trustAuthorities(extraCaFiles: readonly string[]): Promise<SecureContext> {
  const extra = await Promise.all(extraCaFiles.map((file) => readFile(file, "utf8")));
  return createSecureContext({ ca: [...rootCertificates, ...extra], minVersion: "TLSv1.2" });
}

type WorkDeps = {
  clock: Clock;
  logger: Logger;
  database: ProgramDatabase;
  sending: DeliverDeps;
  random?: () => number;
  onMail?: (where: string) => void;
  backlogEveryMs?: number;
};

/** Parts stop in the reverse order of their start: claims end, then attempts, then the writing of their outcomes. */
async function startWork(config: DispatcherConfig, deps: WorkDeps, closers: Closers): Promise<number> {
  const { clock, logger, database, sending, random = Math.random, onMail = () => {}, backlogEveryMs } = deps;
  const queue = createDeliveryQueue(database.kysely, {
    retryTimeScale: config.retryTimeScale,
    random,
    createId: createTypeIds(clock),
  });
  const metrics = createDispatcherMetrics({ queue, database });
  const management = await startManagement(
    { host: config.host, port: config.metricsPort },
    { metrics, findObstacle: () => findDatabaseObstacle(database) },
  );
  closers.add(() => management.stop());

  const mails = openMailQueue(database);
  const backlogs = await startBacklogWatch({
    ...{ queue, mails, logger },
    ...(backlogEveryMs !== undefined && { everyMs: backlogEveryMs }),
  });
  closers.add(() => backlogs.stop());
  const sender = await createMailSender(config.mail);
  const mailLoop = startMailLoop({
    ...{ mails, sender, clock, logger, metrics, onMail },
    cipher: createCipher(config.encryptionKeys),
    livemode: config.livemode,
  });
  closers.add(() => mailLoop.stop());

  const recorder = createOutcomeRecorder({
    queue,
    logger,
    dispatcherId: () => loop.dispatcherId(),
    onDone: ({ delivery }, status) => loop.close(delivery, { isRetried: status === "pending" || status === "lost" }),
  });
  const loop = startDispatchLoop({
    queue,
    recorder,
    isHearing: () => listener.isHealthy(),
    logger,
    metrics,
    slots: config.slots,
    deliver: (delivery) => deliver(delivery, sending),
  });
  const listener = database.listen(deliveriesDueChannel, {
    onNotification: (heard) => (heard === mailsWaiting ? mailLoop.wake() : loop.hear(heard)),
    onReady: () => loop.hear(""),
    onLost: (error) =>
      logger.warn({ err: error }, "notifications of due deliveries are not received; the database is polled"),
  });
  const stalls = startStallWatch({ measure: loop.measure, logger });
  metrics.watch({ lanes: loop.lanes, stalls, backlogs });
  closers.add(() => loop.leave());
  closers.add(() => recorder.drain(recordMs));
  closers.add(() => loop.stop(settleMs));
  closers.add(() => listener.close());
  closers.add(async () => stalls.stop());
  return management.port;
}

export function announceExceptions(config: DispatcherConfig, logger: Logger): void {
  if (config.allowedHosts.length > 0 || config.extraCaFiles.length > 0) {
    logger.warn(
      { allowedHosts: config.allowedHosts, hasExtraCa: config.extraCaFiles.length > 0 },
      "webhooks may reach hosts that are not public",
    );
  }
  if (config.retryTimeScale !== 1) {
    logger.warn({ retryTimeScale: config.retryTimeScale }, "retries come sooner than the schedule says");
  }
  if (config.mail.kind === "files") {
    logger.warn({ folder: config.mail.folder }, "no SMTP_URL is set; mails are written as files");
  }
}
