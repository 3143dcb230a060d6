import { Problem, type Schemas } from "@gateway/contract";
import type { Clock } from "@gateway/kernel";
import { consoleApplication } from "@gateway/platform/accounts";
import type { ConsoleTokens } from "@gateway/platform/console";

/** The claims of an access token about its sign-in. */
type SignInFacts = { userId: string; accountId: string; grantId: string; signedInAtMs: number };

export type KnownPerson = {
  userId: string;
  name: string;
  email: string;
  memberships: readonly KnownMembership[];
};

export type KnownMembership = {
  accountId: string;
  accountName: string;
  personId: string;
  role: Schemas["Role"];
  isSuspended: boolean;
};

/** The person's client address, so that limits and logs of the provider are about the person. */
type OnBehalfOf = { address: string | undefined };

export type IdentityProvider = ReturnType<typeof createIdentityProvider>;

type AuthorizeRequest = {
  state: string;
  nonce: string;
  codeChallenge: string;
  /** Parameters that the library knows: `max_age`, `login_hint`, `prompt`. */
  parameters: Readonly<Record<string, string>>;
};

type IdentityProviderDeps = {
  authUrl: string;
  upstreamUrl: string;
  redirectUri: string;
  clientSecret: string;
  clock: Clock;
};

const timeoutMs = 5_000;
const scope = "openid email profile admin";
const maxAnswerCharacters = 64 * 1024;

/**
 * The provider for its confidential application. All methods except `authorizeUrl` reject with UNAVAILABLE when it is
 * away.
 */
export function createIdentityProvider(deps: IdentityProviderDeps) {
  const { authUrl, redirectUri, clock } = deps;
  const credentials = { client_id: consoleApplication.id, client_secret: deps.clientSecret };
  const tokensOf = (answer: TokenAnswer): ConsoleTokens => ({
    accessToken: textIn(answer.access_token),
    refreshToken: textIn(answer.refresh_token),
    expiresAtMs: clock.now() + Number(answer.expires_in) * 1000,
  });
  return {
    authorizeUrl: ({ state, nonce, codeChallenge, parameters }: AuthorizeRequest): string =>
      `${authUrl}/api/v1/authorize?${new URLSearchParams({
        ...parameters,
        response_type: "code",
        client_id: consoleApplication.id,
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: codeChallenge,
        code_challenge_method: "S256",
      }).toString()}`,
    /** Null when the code is not valid for these values, or no longer valid. */
    exchangeCode: async (exchange: { code: string; codeVerifier: string; nonce: string }, by: OnBehalfOf) => {
      const { code, codeVerifier, nonce } = exchange;
      const form = { grant_type: "authorization_code", code, code_verifier: codeVerifier, redirect_uri: redirectUri };
      const answer = await askForTokens(deps, { ...credentials, ...form }, by);
      return answer && { ...factsOf(answer, { authUrl, nonce }), tokens: tokensOf(answer) };
    },
    /** Null when the refresh token is no longer valid. */
    refresh: async (refreshToken: string, by: OnBehalfOf) => {
      const form = { grant_type: "refresh_token", refresh_token: refreshToken };
      const answer = await askForTokens(deps, { ...credentials, ...form }, by);
      return answer && tokensOf(answer);
    },
    /** Ends the grant, and with it the browser's session there. */
    revoke: async (refreshToken: string, by: OnBehalfOf): Promise<void> => {
      const form = { ...credentials, token: refreshToken, token_type_hint: "refresh_token" };
      const { status } = await ask(deps, { path: "/api/v1/revocation", form, by });
      if (status !== 200) {
        throw away(new Error(`The identity provider answered a revocation with ${status}.`));
      }
    },
    /** Null when the token is no longer valid. */
    whoIs: async (accessToken: string, by: OnBehalfOf): Promise<KnownPerson | null> => {
      const { status, json } = await ask(deps, { path: "/api/v1/userinfo", accessToken, by });
      if (status === 401) {
        return null;
      }
      if (status !== 200) {
        throw away(new Error(`The identity provider returned ${status} for the claims of a user.`));
      }
      return knownPersonOf(json);
    },
  };
}

type TokenAnswer = { access_token?: unknown; refresh_token?: unknown; id_token?: unknown; expires_in?: unknown };

async function askForTokens(
  deps: IdentityProviderDeps,
  form: Readonly<Record<string, string>>,
  by: OnBehalfOf,
): Promise<TokenAnswer | null> {
  const { status, json } = await ask(deps, { path: "/api/v1/token", form, by });
  if (status === 400 && json["error"] === "invalid_grant") {
    return null;
  }
  if (status !== 200) {
    // The cause has the provider's error code, such as for a wrong secret, but never the values that were sent.
    throw away(new Error(`The identity provider answered ${status} ${textIn(json["error"])}.`));
  }
  return json;
}

type Question = { path: string; form?: Readonly<Record<string, string>>; accessToken?: string; by: OnBehalfOf };

async function ask(
  { upstreamUrl }: IdentityProviderDeps,
  { path, form, accessToken, by }: Question,
): Promise<{ status: number; json: Record<string, unknown> }> {
  try {
    const response = await fetch(`${upstreamUrl}${path}`, {
      method: form ? "POST" : "GET",
      ...(form && { body: new URLSearchParams(form) }),
      headers: {
        ...(accessToken !== undefined && { Authorization: `Bearer ${accessToken}` }),
        ...(by.address !== undefined && { "X-Forwarded-For": by.address }),
      },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = (await response.text()).slice(0, maxAnswerCharacters);
    return { status: response.status, json: objectIn(text === "" ? "{}" : text) };
  } catch (error) {
    throw away(error);
  }
}

function away(cause: unknown): Problem {
  return new Problem("UNAVAILABLE", "The identity provider does not answer. Try again in a moment.", {
    headers: { "Retry-After": "1" },
    cause,
  });
}

/**
 * Reads the tokens without checking the signature, because they came over our own connection (OpenID Connect Core 1.0,
 * 3.1.3.7, 6). It does check that the ID token belongs to this browser's request.
 */
function factsOf(answer: TokenAnswer, expected: { authUrl: string; nonce: string }): SignInFacts {
  const id = claimsOf(answer.id_token);
  const access = claimsOf(answer.access_token);
  if (
    id["iss"] !== expected.authUrl ||
    id["aud"] !== consoleApplication.id ||
    id["nonce"] !== expected.nonce ||
    id["sub"] !== access["sub"]
  ) {
    throw new Problem("UNAUTHENTICATED", "The sign-in does not belong to this browser. Begin it again.");
  }
  return {
    userId: textIn(access["sub"]),
    accountId: textIn(access["account"]),
    grantId: textIn(access["grant"]),
    signedInAtMs: Number(access["auth_time"]) * 1000,
  };
}

function claimsOf(token: unknown): Record<string, unknown> {
  const [, payload = ""] = textIn(token).split(".");
  return objectIn(Buffer.from(payload, "base64url").toString("utf8"));
}

function knownPersonOf(json: Record<string, unknown>): KnownPerson {
  const memberships = Array.isArray(json["memberships"]) ? json["memberships"] : [];
  return {
    userId: textIn(json["sub"]),
    name: textIn(json["name"]),
    email: textIn(json["email"]),
    // The cast holds because `apps/auth/src/api/userinfo.ts` writes it, for the console alone.
    memberships: memberships as KnownMembership[],
  };
}

function objectIn(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function textIn(value: unknown): string {
  if (typeof value !== "string") {
    throw away(new Error("The identity provider left out what it always says."));
  }
  return value;
}
