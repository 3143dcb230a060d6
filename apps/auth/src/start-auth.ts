import { openProgramDatabase } from "@gateway/platform/compose/open-program-database";
import { createPlatform, type Platform } from "@gateway/platform/compose/platform";
import type { PlatformDatabase } from "@gateway/platform/compose/schema";
import { type Cipher, type Clock, createCipher, createCursorCodec, createLogger, type Logger } from "@gateway/kernel";
import { openRedis } from "@gateway/limits";
import {
  createRequestMetrics,
  startServers,
  startWithClosers,
  type Closers,
  type RunningServers,
} from "@gateway/process";
import { createIssuedTokens } from "./provider/issued-tokens.ts";
import { createAfterwards, type Afterwards } from "./browser/afterwards.ts";
import { createAuthHandler, type AuthDeps } from "./app.ts";
import { createBrowserSessions } from "./browser/browser-session.ts";
import { createCookies } from "./browser/cookies.ts";
import { createCsrf } from "./browser/csrf.ts";
import { createKnownDevices } from "./browser/known-devices.ts";
import { createPasskeyCeremonies } from "./browser/passkey-ceremonies.ts";
import { createPasswordHasher, type PasswordHasher } from "./browser/password-hasher.ts";
import { createSealedForms } from "./browser/sealed-forms.ts";
import { createThrottle, type Redis } from "./browser/throttle.ts";
import type { AuthConfig } from "./config.ts";
import { startAuthMaintenance } from "./maintenance.ts";
import { createAuthObserver, type AuthObserver } from "./observer.ts";
import { createProvider } from "./provider/create-provider.ts";
import { startCurrentProvider, type CurrentProvider } from "./provider/current-provider.ts";
import { createExchangeSlots } from "./provider/exchange-slots.ts";
import { createInteractions } from "./provider/interactions.ts";
import { createUnitOfWork } from "./provider/unit-of-work.ts";
import { answerUnreadableRequest } from "./unreadable-request.ts";
import { renderErrorPage } from "./views/error-page.ts";
import { renderLogoutQuestion, renderSignedOut } from "./views/logout-pages.ts";

/** Replacements for real dependencies in a test. */
export type AuthOverrides = {
  clock?: Clock;
  logger?: Logger;
  passwords?: PasswordHasher;
  afterwards?: Afterwards;
  /** How long a request waits for a connection and for a query; the defaults are those of `openDatabase`. */
  databaseLimits?: { connectTimeoutMs?: number; queryTimeoutMs?: number };
  /** How long an exchange waits for its slot: 5 s by default. */
  exchangePatienceMs?: number;
};

export type RunningAuth = RunningServers;

const defaultConnections = 16;
/** The share of connections for exchanges, so that some are always free for pages. */
const exchangeShare = 3 / 4;
/** The share for exchanges that would have to wait, and that perhaps only need an earlier response. */
const lookShare = 1 / 8;
const exchangePatienceMs = 5_000;
/** The fallback for a lost notification. A gateway reads the key set every 5 minutes. */
const readKeysEveryMs = 30_000;

/** Resolves when the service listens and has a signing key. Rejects with nothing left running. */
export function startAuth(config: AuthConfig, overrides: AuthOverrides = {}): Promise<RunningAuth> {
  return startWithClosers((closers) => start(config, overrides, closers));
}

/** Resources that are opened first and closed last. */
type AuthResources = {
  config: AuthConfig;
  closers: Closers;
  database: PlatformDatabase;
  platform: Platform;
  cipher: Cipher;
  clock: Clock;
  logger: Logger;
  passwords: PasswordHasher;
  afterwards: Afterwards | undefined;
  exchangePatienceMs: number;
};

async function start(config: AuthConfig, overrides: AuthOverrides, closers: Closers): Promise<RunningAuth> {
  const logger = overrides.logger ?? createLogger({ name: "auth", level: config.logLevel, format: config.logFormat });
  const maxConnections = defaultConnections;
  const own = { name: "auth", maxConnections, ...overrides.databaseLimits };
  const database = await openProgramDatabase(config, { ...own, logger, closers });
  const clock = overrides.clock ?? database.clock;
  const cipher = createCipher(config.encryptionKeys);
  const cursors = createCursorCodec(cipher.deriveKey("cursors"));
  const platform = createPlatform(database, { clock, cipher, cursors, livemode: config.livemode });
  await platform.transaction(({ auth }) => auth.signingKeys.ensure());
  await (config.console && platform.accounts.oauthApplications.registerConsole(config.console));

  const { passwords = createPasswordHasher(), afterwards } = overrides;
  const resources = {
    ...{ config, closers, database, platform, cipher, clock, logger, passwords, afterwards },
    exchangePatienceMs: overrides.exchangePatienceMs ?? exchangePatienceMs,
  };
  const metrics = createRequestMetrics({
    name: "auth",
    help: {
      requests: "Requests by route (none: there is no such page) and status.",
      duration: "Time from the request's headers to the end of its response.",
    },
    database,
  });
  const observer = createAuthObserver({ logger, metrics });
  const deps = await createDeps(resources, observer);
  const maintenance = startAuthMaintenance({ platform, logger });
  closers.add(() => maintenance.stop());
  return startServers({
    name: "auth",
    host: config.host,
    port: config.port,
    metricsPort: config.metricsPort,
    livemode: config.livemode,
    handler: createAuthHandler(deps),
    answerUnreadable: answerUnreadableRequest(deps),
    metrics,
    database,
    logger,
    closers,
  });
}

async function createDeps(resources: AuthResources, observer: AuthObserver): Promise<AuthDeps> {
  const { config, platform, cipher, clock, logger } = resources;
  const { authUrl, apiUrl, livemode } = config;
  const cookies = createCookies({ isSecure: authUrl.startsWith("https:") });
  const sessions = createBrowserSessions({ sessions: platform.auth.sessions, cookies });
  const unitOfWork = createUnitOfWork(platform);
  const connections = config.databasePool ?? defaultConnections;
  const exchanges = { maxWaiting: 500, patienceMs: resources.exchangePatienceMs };
  const slots = createExchangeSlots({ ...exchanges, slots: Math.floor(connections * exchangeShare) });
  const looks = createExchangeSlots({ ...exchanges, slots: Math.ceil(connections * lookShare) });
  const accessTokens = createIssuedTokens({
    keys: () => current.keys(),
    grants: platform.accounts.grants,
    clock,
    authUrl,
    apiUrl,
  });
  const providerDeps = {
    unitOfWork,
    slots,
    looks,
    accessTokens,
    browserSessions: sessions,
    views: { renderErrorPage, renderLogoutQuestion, renderSignedOut },
    onFailure: observer.requestFailed,
    clock,
    authUrl,
    apiUrl,
    consoleSecret: config.console?.clientSecret ?? null,
  };
  const current = await startCurrentProvider({
    loadKeys: () => platform.auth.signingKeys.load(),
    build: (keys) => createProvider(providerDeps, keys),
    clock,
  });
  keepKeysCurrent(resources, current);
  const provider = current.get;
  return {
    observer,
    provider,
    accessTokens,
    authUrl,
    applications: platform.accounts.oauthApplications,
    users: platform.auth.users,
    people: platform.accounts.people,
    trustedProxies: config.trustedProxies,
    pages: {
      platform,
      sessions,
      interactions: createInteractions({ provider, unitOfWork, browserSessions: sessions, clock, apiUrl }),
      devices: createKnownDevices({ cookies, cipher }),
      csrf: createCsrf({ cookies, cipher, origin: authUrl }),
      ceremonies: createPasskeyCeremonies({ passkeys: platform.auth.passkeys, clock, cipher, issuer: authUrl }),
      sealedForms: createSealedForms({ cipher, clock }),
      passwords: resources.passwords,
      throttle: createThrottle({ ...config, clock, logger, redis: await openStore(resources) }),
      afterwards: startAfterwards(resources, observer),
      clock,
      logger,
      issuer: authUrl,
      apiUrl,
      docsUrl: config.docsUrl,
      consoleUrl: config.console?.url ?? null,
      livemode,
    },
  };
}

function startAfterwards({ closers, afterwards }: AuthResources, observer: AuthObserver): Afterwards {
  const started =
    afterwards ?? createAfterwards({ onFailure: (error) => observer.requestFailed({ requestId: undefined, error }) });
  closers.add(() => started.finish());
  return started;
}

async function openStore({ config, closers, logger }: AuthResources): Promise<Redis | null> {
  if (config.redisUrl === null) {
    return null;
  }
  const redis = await openRedis(config.redisUrl, logger);
  closers.add(async () => redis.disconnect());
  return redis;
}

/** Reads the keys again, because another process may have rolled them. */
function keepKeysCurrent({ database, closers, logger }: AuthResources, current: CurrentProvider): void {
  const reload = (): void => {
    current.reload().catch((error: unknown) => logger.warn({ err: error }, "the signing keys could not be read again"));
  };
  const listener = database.listen("signing_keys_changed", {
    onNotification: reload,
    onReady: reload,
    onLost: (error) =>
      logger.warn(
        { err: error },
        `notifications of rolled signing keys are not received; they are read every ${readKeysEveryMs / 1000} s`,
      ),
  });
  closers.add(() => listener.close());
  const timer = setInterval(reload, readKeysEveryMs);
  closers.add(async () => clearInterval(timer));
}
