import { openDatabase } from "@gateway/database";
import type { Account, OauthApplication, Role, Scope } from "@gateway/platform/accounts";
import type { User } from "@gateway/platform/auth";
import { createPlatform, type Platform } from "@gateway/platform/compose/platform";
import type { PlatformDatabase, Schema } from "@gateway/platform/compose/schema";
import { createCipher, createCursorCodec, createLogger, systemClock } from "@gateway/kernel";
import { createTestDatabase, findFreePort } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { createPasswordHasher, type PasswordHasher } from "../../src/browser/password-hasher.ts";
import { readAuthConfig } from "../../src/config.ts";
import { startAuth, type AuthOverrides, type RunningAuth } from "../../src/start-auth.ts";
import { createBrowser, type Browser } from "./browser.ts";
import { createSecretWatch, type SecretWatch } from "./secret-watch.ts";

export type Person = { user: User; password: string; account: Account };

export type TestAuth = {
  /** AUTH_URL, where the first process listens. */
  origin: string;
  /** API_URL. */
  apiUrl: string;
  /** The port of each process. */
  ports: readonly number[];
  metricsPort: number;
  databaseUrl: string;
  encryptionKey: Buffer;
  database: PlatformDatabase;
  platform: Platform;
  watch: SecretWatch;
  /** A user with a password, who owns a new account. The options replace the account, the role or the user. */
  createPerson(options?: { account?: Account; role?: Role; user?: Person }): Promise<Person>;
  createApplication(
    account: Account,
    options?: { redirectUris?: string[]; scopes?: Scope[]; name?: string },
  ): Promise<OauthApplication>;
  /** With a person, the browser is signed in. The form allows only a limited number of sign-ins at a time. */
  openBrowser(person?: Person): Promise<Browser>;
  /** Stops everything. Fails when a log line has a secret or an unexpected failure of this service. */
  stop(): Promise<void>;
};

/** `passwords` uses the lowest cost by default. */
export type TestAuthOptions = AuthOverrides & {
  env?: Record<string, string>;
  /** The number of processes on one database, under one address. */
  processes?: number;
  apiUrl?: string;
  /** A migrated database. By default the provider gets its own. */
  databaseUrl?: string;
  watch?: SecretWatch;
  /** Like production, except for https. */
  livemode?: boolean;
  /** The tests cause failures, so the log may have some. */
  mayFail?: boolean;
};

/** The lowest cost that argon2 accepts, because 45 ms of a core for each password would be wasted in most tests. */
const leastCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** Long limits, because a slow machine must not change a result. */
const patience = {
  databaseLimits: { connectTimeoutMs: 30_000, queryTimeoutMs: 30_000 },
  exchangePatienceMs: 60_000,
};

const allScopes: Scope[] = ["openid", "email", "profile", "read", "write", "admin"];

/** A whole identity provider on real sockets, with a database of its own. */
export async function startTestAuth({
  env = {},
  processes = 1,
  apiUrl = "http://127.0.0.1:8080",
  databaseUrl,
  livemode = false,
  watch = createSecretWatch(),
  mayFail = false,
  passwords = createPasswordHasher({ cost: leastCost }),
  ...changes
}: TestAuthOptions = {}): Promise<TestAuth> {
  const overrides = { ...patience, ...changes };
  const url = databaseUrl ?? (await createTestDatabase()).url;
  const encryptionKey = randomBytes(32);
  const port = await findFreePort();
  const config = readAuthConfig({
    DATABASE_URL: url,
    ENCRYPTION_KEYS: encryptionKey.toString("base64"),
    AUTH_URL: `http://localhost:${port}`,
    API_URL: apiUrl,
    AUTH_ADDRESS_LIMIT: "1000000",
    ...env,
  });
  const logger = createLogger({ name: "test", level: "trace", destination: watch.destination });
  const running: RunningAuth[] = [];
  for (const wanted of [port, ...Array.from({ length: processes - 1 }, () => 0)]) {
    running.push(
      await startAuth({ ...config, livemode, port: wanted, metricsPort: 0 }, { logger, passwords, ...overrides }),
    );
  }
  const database = openDatabase<Schema>({
    url,
    maxConnections: 2,
    // A test may fill many tables in one transaction, on a busy machine.
    connectTimeoutMs: 30_000,
    queryTimeoutMs: 10_000,
    applicationName: "test",
  });
  const platform = platformOf(database, { encryptionKey, livemode }, overrides);
  const ports = running.map((each) => each.port);
  return {
    origin: config.authUrl,
    apiUrl,
    ports,
    metricsPort: running[0]?.metricsPort ?? 0,
    databaseUrl: url,
    encryptionKey,
    database,
    platform,
    watch,
    createPerson: (options = {}) => createPerson({ platform, watch, passwords }, options),
    createApplication: (
      account,
      { redirectUris = ["https://app.example.com/callback"], scopes = allScopes, name = "Test application" } = {},
    ) =>
      platform.transaction(({ accounts }) =>
        accounts.oauthApplications.create({ accountId: account.id, name, redirectUris, scopes }),
      ),
    openBrowser: async (person) => {
      const browser = createBrowser({ origin: config.authUrl, ports: () => ports, watch });
      if (person) {
        await signIn(platform, browser, person);
      }
      return browser;
    },
    stop: async () => {
      await Promise.all(running.map((each) => each.stop(200)));
      await database.close();
      expect(watch.findLeaks()).toEqual([]);
      expect(mayFail ? [] : watch.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    },
  };
}

function platformOf(
  database: PlatformDatabase,
  { encryptionKey, livemode }: { encryptionKey: Buffer; livemode: boolean },
  { clock = systemClock }: AuthOverrides,
): Platform {
  const cipher = createCipher([encryptionKey]);
  const cursors = createCursorCodec(cipher.deriveKey("cursors"));
  return createPlatform(database, { clock, cipher, cursors, livemode });
}

async function signIn(platform: Platform, browser: Browser, { user }: Person): Promise<void> {
  const { secret } = await platform.auth.sessions.start({
    userId: user.id,
    method: "password",
    userAgent: "test",
    address: "127.0.0.1",
  });
  browser.cookies.set("session", secret);
}

async function createPerson(
  { platform, watch, passwords }: { platform: Platform; watch: SecretWatch; passwords: PasswordHasher },
  { account, role = "owner", user: known }: { account?: Account; role?: Role; user?: Person },
): Promise<Person> {
  const name = randomBytes(6).toString("hex");
  const password = known?.password ?? watch.note(`correct horse ${name}`);
  const user =
    known?.user ??
    (await platform.auth.users.create({
      email: `${name}@example.com`,
      name: `Person ${name}`,
      passwordHash: await passwords.hash(password),
    }));
  const own =
    account ??
    (await platform.accounts.create({
      email: `account-${name}@example.com`,
      tier: "enterprise",
      requestsPerMinute: 1_000_000,
    }));
  if (!user || !own) {
    throw new Error("The random e-mail address is taken.");
  }
  await platform.transaction(async ({ accounts }) => {
    const isFirst =
      (await accounts.people.createOwner({ accountId: own.id, userId: user.id, email: user.email })) !== null;
    if (!isFirst) {
      const { id } = await accounts.people.invite({ accountId: own.id, email: user.email, role });
      await accounts.people.join({ personId: id, userId: user.id });
    }
  });
  return { user, password, account: own };
}
