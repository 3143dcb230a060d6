import { openapi, operations } from "@gateway/contract";
import { migrate, openDatabase } from "@gateway/database";
import { type PlatformDatabase, migrations, type Schema, createEventRules } from "@gateway/platform";
import { createCipher, createCursorCodec, createLogger, systemClock, type Clock, type Logger } from "@gateway/kernel";
import { createRateLimiter, openRedis } from "@gateway/limits";
import { createPlatform, type LookupAddresses, claimDeployment } from "@gateway/platform";
import {
  findDatabaseObstacle,
  startManagement,
  startServer,
  startWithClosers,
  type Closers,
  type ManagementDeps,
} from "@gateway/process";
import { createGatewayHandler, type GatewayDeps } from "./app.ts";
import type { GatewayConfig, AuthProvider } from "./config.ts";
import { createAccessTokens, type AccessTokens } from "./credentials/access-token.ts";
import { createApiKeyUsage } from "./credentials/api-key-usage.ts";
import { listenForCredentials } from "./credentials/known-credentials.ts";
import { readSigningKeys } from "./credentials/read-signing-keys.ts";
import { createSigningKeys } from "./credentials/signing-keys.ts";
import { startMaintenance } from "./maintenance.ts";
import { createMetrics } from "./metrics.ts";
import { createObserver, type Observer } from "./observer.ts";
import { operationTable } from "./operations/index.ts";
import type { OperationTable } from "./operations/operation.ts";
import { createResponseCheck } from "./pipeline/check-response.ts";
import { answerUnreadableRequest } from "./unreadable-request.ts";
import { prepareOperations } from "./validation/prepare-operations.ts";
import { createRequestCheck } from "./validation/request-check.ts";

/** What a test may put in the place of the real thing. */
export type GatewayOverrides = {
  clock?: Clock;
  logger?: Logger;
  operationTable?: OperationTable;
  rateLimitWindowSeconds?: number;
  /** A busy machine makes the store look away; a test of exact counts waits for it. */
  limitStorePatienceMs?: number;
  /** Resolves the hosts of webhooks at their registration. */
  lookupAddresses?: LookupAddresses;
  /** How often the identity provider's keys are read again. */
  signingKeyRefreshMs?: number;
};

export type RunningGateway = {
  port: number;
  metricsPort: number;
  /** Answers what is under way, for at most `deadlineMs`, then lets go of database and Redis. */
  stop(deadlineMs?: number): Promise<void>;
};

/** Listens when it resolves: migrated, every schema compiled. Rejects, with nothing left running, when something is in the way. */
export function startGateway(config: GatewayConfig, overrides: GatewayOverrides = {}): Promise<RunningGateway> {
  return startWithClosers((closers) => start(config, overrides, closers));
}

async function start(config: GatewayConfig, overrides: GatewayOverrides, closers: Closers): Promise<RunningGateway> {
  const document = openapi();
  const clock = overrides.clock ?? systemClock;
  const logger = overrides.logger ?? createLogger({ name: "gateway", level: config.logLevel });
  const database = openDatabase<Schema>({ url: config.databaseUrl, applicationName: "gateway" });
  closers.add(() => database.close());
  await migrate(config.databaseUrl, migrations);
  await claimDeployment(database.kysely, { livemode: config.livemode });

  const cipher = createCipher(config.encryptionKeys);
  const platform = createPlatform(database, {
    clock,
    cipher,
    cursors: createCursorCodec(cipher.deriveKey("cursors")),
    livemode: config.livemode,
    eventRules: createEventRules({ ...config, ...overrides }),
  });
  const credentials = listenForCredentials({ database, accounts: platform.accounts, logger });
  closers.add(() => credentials.close());
  const metrics = createMetrics(credentials);
  const observer = createObserver({ logger, metrics });

  const redis = config.redisUrl === null ? null : await openRedis(config.redisUrl, logger);
  closers.add(async () => redis?.disconnect());
  const rateLimiter = createRateLimiter({
    clock,
    windowSeconds: overrides.rateLimitWindowSeconds ?? 60,
    ...(overrides.limitStorePatienceMs !== undefined && { patienceMs: overrides.limitStorePatienceMs }),
    redis,
    onStoreFailure: (error) => observer.limitStoreFailed(error),
  });
  const apiKeyUsage = createApiKeyUsage({ apiKeys: platform.accounts.apiKeys });
  const maintenance = startMaintenance({
    apiKeyUsage,
    idempotency: platform.accounts.idempotency,
    eventRetention: platform.events.retention,
    logger,
  });
  closers.add(() => maintenance.stop());

  const prepared = prepareOperations(document);
  const requestChecks = new Map(
    prepared.map((operation) => [operation.operationId, createRequestCheck(operation)] as const),
  );
  // After the schemas are compiled: that keeps this process busy, and an answer with the keys would come too late.
  const accessTokens = config.authProvider
    ? believe(config.authProvider, { clock, observer, closers, refreshMs: overrides.signingKeyRefreshMs })
    : null;
  const deps: GatewayDeps = {
    platform,
    clock,
    observer,
    rateLimiter,
    apiKeyCache: credentials.apiKeyCache,
    apiKeyUsage,
    grantCache: credentials.grantCache,
    accessTokens,
    authUrl: config.authProvider?.authUrl ?? null,
    livemode: config.livemode,
    trustedProxies: config.trustedProxies,
    policies: Object.values(operations),
    operationTable: overrides.operationTable ?? operationTable,
    requestChecks,
    checkResponse: createResponseCheck({
      operations: prepared,
      livemode: config.livemode,
      observer,
      random: Math.random,
    }),
  };
  return listen(config, deps, { database, metrics, logger, closers });
}

type Believing = { clock: Clock; observer: Observer; closers: Closers; refreshMs: number | undefined };

/** Five minutes: the identity provider publishes a key for longer than that before it signs with it. */
function believe(
  { authUrl, apiUrl, jwksUrl }: AuthProvider,
  { clock, observer, closers, refreshMs = 5 * 60_000 }: Believing,
): AccessTokens {
  const keys = createSigningKeys({
    read: () => readSigningKeys(jwksUrl),
    clock,
    refreshMs,
    onFailure: (error) => observer.signingKeysNotRead(error),
  });
  closers.add(() => keys.stop());
  return createAccessTokens({ issuer: authUrl, audience: apiUrl, keys, clock });
}

type Surroundings = {
  database: PlatformDatabase;
  metrics: ManagementDeps["metrics"];
  logger: Logger;
  closers: Closers;
};

async function listen(
  config: GatewayConfig,
  deps: GatewayDeps,
  { database, metrics, logger, closers }: Surroundings,
): Promise<RunningGateway> {
  let isStopping = false;
  const management = await startManagement(
    { host: config.host, port: config.metricsPort },
    { metrics, findObstacle: async () => (isStopping ? "stopping" : findDatabaseObstacle(database)) },
  );
  closers.add(() => management.stop());
  const api = await startServer({
    host: config.host,
    port: config.port,
    handler: createGatewayHandler(deps),
    onUnreadableRequest: answerUnreadableRequest(deps),
  });
  logger.info({ port: api.port, metricsPort: management.port, livemode: config.livemode }, "gateway listens");
  return {
    port: api.port,
    metricsPort: management.port,
    stop: async (deadlineMs = 10_000) => {
      isStopping = true;
      await api.stop(deadlineMs);
      await closers.closeAll();
      logger.info("gateway stopped");
    },
  };
}
