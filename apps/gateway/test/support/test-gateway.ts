import { services, type Service } from "@gateway/contract";
import { openDatabase } from "@gateway/database";
import type { Account, ApiKeyWithSecret, Permission, Tier } from "@gateway/platform/accounts";
import { createPlatform, type Platform } from "@gateway/platform/compose/platform";
import type { PlatformDatabase, Schema } from "@gateway/platform/compose/schema";
import { createEventRules } from "@gateway/platform/events";
import type { CreatePorts } from "@gateway/ports";
import { createCipher, createCursorCodec, createLogger, systemClock, type Clock } from "@gateway/kernel";
import { createSimulatedChain, createSimulatedPorts } from "@gateway/simulation";
import { createTestDatabase } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { Writable } from "node:stream";
import { readGatewayConfig, type AuthProvider, type GatewayConfig } from "../../src/config.ts";
import { startGateway, type GatewayOverrides, type RunningGateway } from "../../src/start-gateway.ts";
import { createDocumentCheck } from "./expect-documented.ts";
import { expectOurAnswer } from "./expect-our-answer.ts";
import { ask, type Answer, type Ask } from "./http-client.ts";

/** Ports for the direct addresses of all services, which the system chooses. */
const freeDirectPorts: Readonly<Record<Service, number>> = Object.fromEntries(
  services.map((service) => [service, 0]),
) as Record<Service, number>;

export type TestGateway = {
  port: number;
  /** Ports of the direct addresses, when it has them. */
  directPorts: RunningGateway["directPorts"];
  metricsPort: number;
  databaseUrl: string;
  database: PlatformDatabase;
  platform: Platform;
  /** All log lines, one JSON document each. */
  logLines: string[];
  /** An account that no limit stops, unless a tier or a limit is given. */
  createAccount(options?: { tier?: Tier; requestsPerMinute?: number | null }): Promise<Account>;
  createKey(account: Account, permission: Permission, expiresAt?: Date): Promise<ApiKeyWithSecret>;
  /**
   * Sends a request, with `key` as X-API-Key. Checks the envelope and the headers of the response, and that it fits the
   * document.
   */
  call(request: Ask & { key?: string; port?: number }): Promise<Answer>;
  stop(): Promise<void>;
};

export type TestGatewayOptions = GatewayOverrides & {
  env?: Record<string, string>;
  /** The identity provider whose access tokens it believes. Without it, it believes none. */
  issuer?: { authProvider: AuthProvider };
  /** Has the direct addresses of all services too. `call` uses the gateway's own address unless `port` is given. */
  direct?: boolean;
  /** Shares the database of another test gateway. */
  databaseUrl?: string;
};

export const encryptionKey = randomBytes(32);

/** Longer than any test, so that a gateway learns of a changed credential only by a notification. */
const dayMs = 86_400_000;

/** Limits for a busy machine, which is slow. Tests of the product's own limits set `databaseLimits: {}`. */
const patientWithDatabase = { connectTimeoutMs: 30_000, queryTimeoutMs: 30_000 };

/** A whole gateway on a real socket, with its own database. Everything between the socket and Postgres is real. */
export async function startTestGateway({
  env = {},
  issuer,
  databaseUrl,
  direct = false,
  databaseLimits = patientWithDatabase,
  credentialNetMs = dayMs,
  ...overrides
}: TestGatewayOptions = {}): Promise<TestGateway> {
  const url = databaseUrl ?? (await createTestDatabase()).url;
  const logLines: string[] = [];
  const clock: Clock = overrides.clock ?? systemClock;
  // A test issuer is on loopback, which the configuration refuses in production.
  const config = { ...testConfig(url, env), ...issuer, directPorts: direct ? freeDirectPorts : {} };
  const createPorts = overrides.createPorts ?? createSilentPorts;
  const lookupAddresses = overrides.lookupAddresses ?? findNoAddress;
  const gateway: RunningGateway = await startGateway(config, {
    ...overrides,
    ...{ databaseLimits, credentialNetMs },
    ...(config.portsModule === null && { createPorts }),
    lookupAddresses,
    logger: createLogger({ name: "test", level: "info", destination: collect(logLines) }),
  });
  const database = openDatabase<Schema>({
    url,
    maxConnections: 2,
    // A test may fill many tables in one transaction, on a busy machine.
    connectTimeoutMs: 30_000,
    queryTimeoutMs: 10_000,
    applicationName: "test",
  });
  const cipher = createCipher(config.encryptionKeys);
  const platform = createPlatform(database, {
    clock,
    cipher,
    cursors: createCursorCodec(cipher.deriveKey("cursors")),
    livemode: config.livemode,
    createPorts,
    eventRules: createEventRules({ webhookAllowedHosts: config.webhookAllowedHosts, lookupAddresses }),
  });
  const expectDocumented = createDocumentCheck(config);
  return {
    port: gateway.port,
    directPorts: gateway.directPorts,
    metricsPort: gateway.metricsPort,
    databaseUrl: url,
    database,
    platform,
    logLines,
    createAccount: (options = {}) => createAccount(platform, options),
    createKey: (account, permission, expiresAt) =>
      platform.accounts.apiKeys.create({
        accountId: account.id,
        name: `Test ${permission}`,
        permission,
        expiresAt: expiresAt ?? null,
      }),
    call: async ({ key, port, ...request }) => {
      const headers = key === undefined ? request.headers : { "X-API-Key": key, ...request.headers };
      const answer = await ask(port ?? gateway.port, { ...request, ...(headers && { headers }) });
      expectOurAnswer(answer, request);
      expectDocumented(request, answer);
      return answer;
    },
    stop: async () => {
      await gateway.stop(2000);
      await database.close();
    },
  };
}

function testConfig(url: string, env: Record<string, string>): GatewayConfig {
  const config = readGatewayConfig({
    DATABASE_URL: url,
    ENCRYPTION_KEYS: encryptionKey.toString("base64"),
    LOG_LEVEL: "info",
    ...env,
  });
  // Port 0, which the configuration refuses, lets the system choose free ones.
  return { ...config, port: 0, metricsPort: 0 };
}

async function createAccount(
  platform: Platform,
  options: { tier?: Tier; requestsPerMinute?: number | null },
): Promise<Account> {
  const { tier = "enterprise", requestsPerMinute = tier === "enterprise" ? 1_000_000 : null } = options;
  const account = await platform.accounts.create({
    email: `${randomBytes(6).toString("hex")}@example.com`,
    tier,
    requestsPerMinute,
  });
  if (!account) {
    throw new Error("The random e-mail address is taken.");
  }
  return account;
}

/** External systems that accept everything and report nothing. The test sends their facts. */
export const createSilentPorts: CreatePorts = (planFacts, readMarket) => ({
  ...createSimulatedPorts(planFacts, readMarket),
  chain: {
    ...createSimulatedChain(planFacts),
    submit: async () => ({ transactionHash: `0x${"0".repeat(64)}` }),
  },
  kycEngine: { check: async () => {} },
});

/** Tests use no name server. A webhook may have a host that cannot be resolved yet. */
function findNoAddress(host: string): Promise<string[]> {
  return Promise.reject(new Error(`Tests resolve no names, not even ${host}.`));
}

function collect(lines: string[]): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
}
