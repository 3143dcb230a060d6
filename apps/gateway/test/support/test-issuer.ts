import {
  consoleApplication,
  scopes,
  type Account,
  type Permission,
  type Role,
  type Scope,
} from "@gateway/platform/accounts";
import { SignJWT } from "jose";
import { randomUUID } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { AuthProvider } from "../../src/config.ts";
import { createTestSigningKey, type TestSigningKey } from "./signing-key.ts";
import type { TestGateway } from "./test-gateway.ts";

export type TestIssuer = {
  authProvider: AuthProvider;
  /** The key that signs; published from the start. */
  key: TestSigningKey;
  /** Replaces the published keys. */
  publish(keys: readonly object[]): void;
  /** Handles requests for the keys in another way; null restores the usual one. */
  answerWith(handler: RequestListener | null): void;
  /** Number of requests for the keys. */
  requestCount(): number;
  stop(): Promise<void>;
};

/** The key pair of each issuer in a process, under its own name. */
const issuerPair = createTestSigningKey();

/** Plays the identity provider as the gateway sees it: a real server with a JWK Set, and a key to sign with. */
export async function startTestIssuer({
  authUrl,
  port = 0,
  key = createTestSigningKey({ pair: issuerPair }),
}: {
  authUrl?: string;
  port?: number;
  key?: TestSigningKey;
} = {}): Promise<TestIssuer> {
  let published: readonly object[] = [key.jwk];
  let answer: RequestListener | null = null;
  let requests = 0;
  const server = createServer((req, res) => {
    requests += 1;
    if (answer) {
      answer(req, res);
      return;
    }
    res.setHeader("Content-Type", "application/jwk-set+json");
    res.end(JSON.stringify({ keys: published }));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  // A listening TCP server has an address of this kind.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    authProvider: {
      authUrl: authUrl ?? origin,
      apiUrl: "http://127.0.0.1:8080",
      jwksUrl: `${origin}/api/v1/jwks`,
    },
    key,
    publish: (keys) => {
      published = keys;
    },
    answerWith: (handler) => {
      answer = handler;
    },
    requestCount: () => requests,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Everything that a token names: the user and application, their grant, and its account. */
export type TestGrant = {
  grantId: string;
  accountId: string;
  userId: string;
  personId: string;
  applicationId: string;
};

/**
 * A user who is a person of the account and has consented to an application of it. The user is new unless `userId` is
 * given.
 */
export async function createTestGrant(
  { platform }: Pick<TestGateway, "platform">,
  account: Pick<Account, "id">,
  {
    role = "owner",
    permission = "admin",
    applicationScopes = scopes,
    redirectUri = "https://app.example.com/",
    isConsole = false,
    userId: known,
  }: {
    userId?: string | undefined;
    isConsole?: boolean;
    role?: Role;
    permission?: Permission | null;
    applicationScopes?: readonly Scope[];
    redirectUri?: string;
  } = {},
): Promise<TestGrant> {
  const accountId = account.id;
  const grantId = randomUUID();
  const email = `${grantId}@example.com`;
  return platform.transaction(async ({ auth, accounts }) => {
    const userId = known ?? (await auth.users.create({ email, name: "Test", passwordHash: "none" }))?.id ?? "";
    const person = await accounts.people.invite({ accountId, email, role });
    await accounts.people.join({ personId: person.id, userId });
    const registered = { accountId, name: "Test", redirectUris: [redirectUri], scopes: applicationScopes };
    await (isConsole &&
      accounts.oauthApplications.registerConsole({ redirectUri: "https://console.example.com/callback" }));
    const { id: applicationId } = isConsole ? consoleApplication : await accounts.oauthApplications.create(registered);
    // The console's grant ends with its session, as in the identity provider.
    const session = { userId, method: "password", userAgent: "Test", address: "127.0.0.1" } as const;
    const sessionId = isConsole ? (await auth.sessions.start(session)).id : null;
    await accounts.grants.create({ id: grantId, userId, accountId, applicationId, permission, sessionId });
    return { grantId, accountId, userId, personId: person.id, applicationId };
  });
}

/** The claims of a valid token, as our identity provider writes them; it lives for an hour. */
export function claimsOf(
  { authProvider }: Pick<TestIssuer, "authProvider">,
  grant: TestGrant,
  { nowMs = Date.now(), scope = "admin" }: { nowMs?: number; scope?: string | null } = {},
): Record<string, unknown> {
  const iat = Math.floor(nowMs / 1000);
  return {
    account: grant.accountId,
    grant: grant.grantId,
    jti: randomUUID(),
    sub: grant.userId,
    iat,
    exp: iat + 3600,
    ...(scope !== null && { scope }),
    client_id: grant.applicationId,
    iss: authProvider.authUrl,
    aud: authProvider.apiUrl,
  };
}

/** A valid token, written by jose. */
export function mintToken(
  issuer: Pick<TestIssuer, "authProvider" | "key">,
  grant: TestGrant,
  { key = issuer.key, claims = {}, ...options }: MintOptions = {},
): Promise<string> {
  return new SignJWT({ ...claimsOf(issuer, grant, options), ...claims })
    .setProtectedHeader({ alg: "RS256", typ: "at+jwt", kid: key.kid })
    .sign(key.privateKey);
}

export type MintOptions = {
  key?: TestSigningKey;
  nowMs?: number;
  scope?: string | null;
  /** Claims that replace those of a valid token, or are added to them. */
  claims?: object;
};

export function bearer(token: string): { Authorization: string } {
  return { Authorization: `Bearer ${token}` };
}
