import { enforcedOpenapi, operations, withoutSandbox, type OperationPolicy, type Service } from "@gateway/contract";
import { loadPorts } from "@gateway/platform/compose/load-ports";
import type { ProgramDatabase } from "@gateway/platform/compose/open-platform-database";
import { openProgramDatabase } from "@gateway/platform/compose/open-program-database";
import { createPlatform, type Platform } from "@gateway/platform/compose/platform";
import { createEventRules, type LookupAddresses } from "@gateway/platform/events";
import { createRequestLogWriters } from "@gateway/platform/request-log";
import type { CreatePorts } from "@gateway/ports";
import {
  type Clock,
  createCipher,
  createCursorCodec,
  createEndOfTurn,
  createLogger,
  type Logger,
} from "@gateway/kernel";
import { createUpstreams, fingerprintUpstreams, upstreamPorts } from "@gateway/forwarding";
import { createRateLimiter, openRedis } from "@gateway/limits";
import { createSimulatedPorts } from "@gateway/simulation";
import {
  startServers,
  startWithClosers,
  type Closers,
  type RunningServers,
  type ServersOptions,
} from "@gateway/process";
import { createGatewayHandler, type GatewayDeps } from "./app.ts";
import type { GatewayConfig } from "./config.ts";
import { createAccessTokenVerifier } from "./credentials/access-token-verifier.ts";
import { createCredentialUsage, type CredentialUsage } from "./credentials/credential-usage.ts";
import { listenForCredentials } from "./credentials/known-credentials.ts";
import { readKeySet } from "./credentials/read-key-set.ts";
import { createKeySet } from "./credentials/key-set.ts";
import { sealLedger, startGatewayMaintenance } from "./maintenance.ts";
import { createGatewayMetrics, type GatewayMetrics } from "./metrics.ts";
import { createGatewayObserver, type GatewayObserver } from "./observer.ts";
import { operationTable } from "./operations/index.ts";
import type { OperationTable } from "./operations/operation.ts";
import { createResponseCheck } from "./pipeline/check-response.ts";
import { createRequestLogWriter, type RequestLogWriter } from "./request-log/request-log-writer.ts";
import { createUpstreamEvents, upstreamEventsPath } from "./upstream-events.ts";
import { answerUnreadableRequest } from "./unreadable-request.ts";
import { createWaiters } from "./waiting/waiters.ts";
import { prepareOperations, type AtFirstUse, type PreparedOperation } from "./validation/prepare-operations.ts";
import { createRequestCheck } from "./validation/request-check.ts";

export type GatewayOverrides = {
  clock?: Clock;
  logger?: Logger;
  operationTable?: OperationTable;
  /** Limits of the wait for a connection and for a query; those of `openDatabase` unless given. */
  databaseLimits?: { connectTimeoutMs?: number; queryTimeoutMs?: number };
  rateLimitWindowSeconds?: number;
  /** On a busy machine the store may seem to be away, so a test of exact counts waits longer. */
  limitStorePatienceMs?: number;
  /** Resolves the hosts of webhooks at their registration. */
  lookupAddresses?: LookupAddresses;
  /** Neither tidies nor seals nor logs. Only requests change the database, so a test can assert their effects. */
  keepsStill?: boolean;
  /** Keeps no request log. */
  logsNothing?: boolean;
  /** The account whose requests are not logged, to measure the cost of the log. */
  unloggedAccountId?: string;
  /** External systems: simulated in the sandbox, from `PORTS` in production. */
  createPorts?: CreatePorts;
  /** Compiles the schema of a request when the first one arrives: a start takes a third of a second less. */
  schemasAtFirstUse?: boolean;
  /** Interval of reading the identity provider's keys again. */
  keySetRefreshMs?: number;
  upstreamResetMs?: number;
  /** Time for which credentials and origins are believed without a notification: a minute unless given. */
  credentialNetMs?: number;
  /** Waiting requests look again now and then, unless it is false. */
  waitersHaveNet?: boolean;
};

export type RunningGateway = Omit<RunningServers, "portsBeside"> & {
  directPorts: Readonly<Partial<Record<Service, number>>>;
};

/** The identity provider publishes a key for longer than that before it signs with it. */
const keySetRefreshMs = 5 * 60_000;

const preparedByMode = new Map<string, readonly PreparedOperation[]>();

/** Compiled once for all gateways of a process, because tests start many. */
function preparedOperations(livemode: boolean, atFirstUse: AtFirstUse): readonly PreparedOperation[] {
  const mode = `${livemode} ${atFirstUse}`;
  const known = preparedByMode.get(mode);
  if (known) {
    return known;
  }
  const document = enforcedOpenapi();
  const prepared = prepareOperations(livemode ? withoutSandbox(document) : document, { atFirstUse });
  preparedByMode.set(mode, prepared);
  return prepared;
}

/**
 * Resolves when the gateway listens, the database is migrated, and the schemas of requests are compiled. A rejection
 * leaves nothing running.
 */
export function startGateway(config: GatewayConfig, overrides: GatewayOverrides = {}): Promise<RunningGateway> {
  return startWithClosers((closers) => start(config, overrides, closers));
}

/** The parts that all others depend on. */
type Ground = {
  config: GatewayConfig;
  overrides: GatewayOverrides;
  closers: Closers;
  logger: Logger;
  database: ProgramDatabase;
  clock: Clock;
};

async function start(config: GatewayConfig, overrides: GatewayOverrides, closers: Closers): Promise<RunningGateway> {
  const logger =
    overrides.logger ?? createLogger({ name: "gateway", level: config.logLevel, format: config.logFormat });
  const own = { name: "gateway", maxConnections: 10, ...overrides.databaseLimits };
  const database = await openProgramDatabase(config, { ...own, logger, closers });
  const clock = overrides.clock ?? database.clock;
  const ground: Ground = { config, overrides, closers, logger, database, clock };

  const { platform, upstreams } = await openPlatform(ground, () => metrics);
  const { waiters, credentials } = await listen(ground, platform);
  const metrics = createGatewayMetrics({
    isListening: credentials.isListening,
    database,
    eventRetention: platform.events.retention,
    upstreams: () => upstreams.all,
    countWaiting: () => waiters.count(),
    requestLog: () => requestLog,
    upstreamsFingerprint: fingerprintUpstreams(config.upstreams),
  });
  await platform.requestLog.retention.createPartitions();
  const isLogging = !overrides.keepsStill && !overrides.logsNothing;
  const requestLog = isLogging ? await openRequestLog(ground, platform, metrics) : null;
  const { unloggedAccountId = null } = overrides;
  const observer = createGatewayObserver({ logger, metrics, requestLog, unloggedAccountId });

  const limiters = await openLimiters(ground, observer);
  const credentialUsage = createCredentialUsage(platform.accounts);
  await platform.events.retention.createPartitions();
  await platform.audit.retention.createPartitions();
  if (!overrides.keepsStill) {
    startBackground(ground, platform, credentialUsage);
  }
  const { apiKeyCache, grantCache, origins } = credentials;
  const opened = { platform, upstreams, waiters, observer, credentialUsage, apiKeyCache, grantCache, origins };
  const deps: GatewayDeps = { clock, ...opened, ...limiters, ...createPipelineDeps(ground, observer) };
  const { portsBeside, ...running } = await startServers({
    name: "gateway",
    host: config.host,
    port: config.port,
    metricsPort: config.metricsPort,
    livemode: config.livemode,
    handler: createGatewayHandler(deps, config.services),
    beside: directAddresses(config, deps),
    answerUnreadable: answerUnreadableRequest(deps),
    metrics,
    database,
    logger,
    closers,
    onStopping: () => waiters.stop(),
    ...(config.upstreams.length > 0 && {
      managementRoutes: { [upstreamEventsPath]: createUpstreamEvents({ ...config, platform, clock, logger }) },
    }),
  });
  return { ...running, directPorts: portsBeside };
}

/** `metrics` is first called after a response of an upstream or a read of a price. */
async function openPlatform({ config, overrides, closers, database, clock }: Ground, metrics: () => GatewayMetrics) {
  const cipher = createCipher(config.encryptionKeys);
  const common = {
    clock,
    cipher,
    cursors: createCursorCodec(cipher.deriveKey("cursors")),
    livemode: config.livemode,
    requestLogDays: config.requestLogDays,
    eventRules: createEventRules({ ...config, ...overrides }),
    ownOrigins: ownOriginsOf(config),
  };
  const ownPorts = config.livemode
    ? await loadPorts(config.portsModule, createPlatform(database, common))
    : createSimulatedPorts;
  const upstreams = createUpstreams(config, {
    livemode: config.livemode,
    now: () => clock.now(),
    onDone: (service, outcome, seconds) => metrics().upstreamDone(service, outcome, seconds),
    ...(overrides.upstreamResetMs !== undefined && { resetAfterMs: overrides.upstreamResetMs }),
  });
  closers.add(() => upstreams.close());
  const portsHere = overrides.createPorts ?? ownPorts;
  const portsElsewhere = upstreamPorts(upstreams, () => clock.now());
  const createPorts: CreatePorts = (...sandbox) => ({ ...portsHere(...sandbox), ...portsElsewhere });
  const onUndecidedRound = (symbol: string): void => metrics().roundUndecided(symbol);
  return { upstreams, platform: createPlatform(database, { ...common, createPorts, onUndecidedRound }) };
}

/** Waiting requests and the caches receive changes on one connection. */
async function listen({ overrides, closers, database, logger }: Ground, { accounts, following }: Platform) {
  const hasNet = overrides.waitersHaveNet ?? true;
  const waiters = createWaiters({ following, isListening: () => credentials.isListening(), hasNet });
  const netMs = overrides.credentialNetMs;
  const credentials = listenForCredentials({ database, accounts, logger, waiters, netMs });
  closers.add(() => credentials.close());
  await credentials.origins.whenRead();
  return { waiters, credentials };
}

/**
 * Writes over its own connection, so that requests do not wait for the log, nor the log for them. Its closers write the
 * rest.
 */
async function openRequestLog(
  { database, clock, logger, closers }: Ground,
  { requestLog }: Platform,
  metrics: GatewayMetrics,
): Promise<RequestLogWriter> {
  const own = { applicationName: "gateway-request-log", maxConnections: 1, queryTimeoutMs: 4_000 };
  const apart = database.openApart(own);
  closers.add(() => apart.close());
  const writer = createRequestLogWriter({
    writers: createRequestLogWriters(apart.kysely, { clock }),
    createPartitions: () => requestLog.retention.createPartitions(),
    ...{ clock, logger, onWritten: metrics.requestsLogged, onLost: metrics.requestsNotLogged },
  });
  closers.add(() => writer.stop());
  await writer.announce();
  return writer;
}

async function openLimiters({ config, overrides, closers, logger, clock }: Ground, observer: GatewayObserver) {
  const redis = config.redisUrl === null ? null : await openRedis(config.redisUrl, logger);
  closers.add(async () => redis?.disconnect());
  const limits = {
    clock,
    ...(overrides.limitStorePatienceMs !== undefined && { patienceMs: overrides.limitStorePatienceMs }),
    redis,
    onStoreFailure: (error: unknown) => observer.limitStoreFailed(error),
  };
  return {
    rateLimiter: createRateLimiter({ ...limits, windowSeconds: overrides.rateLimitWindowSeconds ?? 60 }),
    dailyLimiter: createRateLimiter({ ...limits, windowSeconds: 24 * 60 * 60, keyPrefix: "daily" }),
  };
}

function startBackground({ closers, logger }: Ground, platform: Platform, credentialUsage: CredentialUsage): void {
  const maintenance = startGatewayMaintenance({ platform, credentialUsage, logger });
  closers.add(() => maintenance.stop());
  const sealing = sealLedger({ seals: platform.ledger.seals, logger });
  closers.add(() => sealing.stop());
}

function createPipelineDeps(ground: Ground, observer: GatewayObserver) {
  const { config, overrides } = ground;
  const { authProvider, livemode, docsUrl, trustedProxies } = config;
  const prepared = preparedOperations(livemode, overrides.schemasAtFirstUse ? "everything" : "responses");
  const requestChecks = new Map(prepared.map((one) => [one.operationId, createRequestCheck(one)] as const));
  const answers = { operations: prepared, observer, random: Math.random };
  return {
    livemode,
    docsUrl,
    trustedProxies,
    // The keys are read after the schemas are compiled. Compilation blocks this process, and the response with the keys
    // would come too late.
    accessTokens: openAccessTokens(ground, observer),
    authUrl: authProvider?.authUrl ?? null,
    policies: Object.values<OperationPolicy>(operations).filter(({ sandboxOnly }) => !(sandboxOnly && livemode)),
    operationTable: overrides.operationTable ?? operationTable,
    requestChecks,
    atEndOfTurn: createEndOfTurn(),
    checkResponse: createResponseCheck({ ...answers, livemode }),
    // Responses of external services are always validated against the document.
    holdAnswer: createResponseCheck({ ...answers, livemode: false }),
  };
}

function openAccessTokens({ config: { authProvider }, overrides, closers, clock }: Ground, observer: GatewayObserver) {
  if (!authProvider) {
    return null;
  }
  const keys = createKeySet({
    read: () => readKeySet(authProvider.jwksUrl),
    clock,
    refreshMs: overrides.keySetRefreshMs ?? keySetRefreshMs,
    onFailure: (error) => observer.keySetNotRead(error),
  });
  closers.add(async () => keys.stop());
  return createAccessTokenVerifier({ issuer: authProvider.authUrl, audience: authProvider.apiUrl, keys, clock });
}

/**
 * The direct addresses share everything that checks and counts a request: caller, limit and idempotency key are the
 * same at each.
 */
function directAddresses({ directPorts }: GatewayConfig, deps: GatewayDeps): NonNullable<ServersOptions["beside"]> {
  // The type has no other keys.
  const ports = Object.entries(directPorts) as [Service, number][];
  return Object.fromEntries(
    ports.map(([service, port]) => [service, { port, handler: createGatewayHandler(deps, [service]) }]),
  );
}

/**
 * Origins of the identity provider, the API and the documentation, when configured. The platform knows the console's.
 */
function ownOriginsOf({ authProvider, docsUrl }: GatewayConfig): string[] {
  const own = [authProvider?.authUrl, authProvider?.apiUrl, docsUrl];
  return own.flatMap((url) => (url === undefined || url === null ? [] : [new URL(url).origin]));
}
