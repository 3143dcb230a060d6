import type { Clock } from "@gateway/kernel";
import { openidScopes } from "@gateway/platform/accounts";
import type { PrivateJwk } from "@gateway/platform/auth";
import { errors, type Account, type Configuration, type KoaContextWithOIDC, type RefreshToken } from "oidc-provider";
import type { BrowserSessions } from "../browser/browser-session.ts";
import { twoFactors } from "./authentication-methods.ts";
import { registeredScopes, registeredScopesOf } from "./client-metadata.ts";
import { findGrant } from "./find-grant.ts";
import { createInteractionPolicy } from "./interaction-policy.ts";
import { providerPages, type ProviderViews } from "./provider-pages.ts";
import { refuseUnregisteredScopes } from "./requested-scopes.ts";
import { paths } from "./routes.ts";
import { createStorage } from "./storage.ts";
import type { Unit, UnitOfWork } from "./unit-of-work.ts";

export type ProviderConfigurationDeps = {
  unitOfWork: Pick<UnitOfWork, "current">;
  browserSessions: Pick<BrowserSessions, "find">;
  views: ProviderViews;
  clock: Clock;
  authUrl: string;
  /** The gateway, the only audience of access tokens. */
  apiUrl: string;
  /** The client secret of the console; null without a console. */
  consoleSecret: string | null;
};

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
/** An idle refresh token ends after 60 days; its family, however busy, after a year. */
const refreshIdleSeconds = 60 * day;
const familyLifeSeconds = 365 * day;

const off = { enabled: false };

/**
 * The library's configuration. Applications are public and use a code with PKCE S256. Refresh tokens rotate at every
 * use, and access tokens are JWTs (RFC 9068) for the gateway.
 */
export function providerConfiguration(
  deps: ProviderConfigurationDeps,
  /** The first key signs, all are published. */
  keys: readonly PrivateJwk[],
): Configuration {
  const { unitOfWork, authUrl } = deps;
  return {
    adapter: createStorage(unitOfWork, deps),
    jwks: { keys },
    routes: {
      authorization: paths.authorize,
      token: paths.token,
      revocation: paths.revocation,
      jwks: paths.jwks,
      end_session: paths.endSession,
    },
    cookies: cookies({ isSecure: authUrl.startsWith("https:") }),
    // Applications are registered for the first method, the console for the second. The library has to know the other
    // methods of a client in order to refuse them instead of ignoring them.
    clientAuthMethods: ["none", "client_secret_post", "private_key_jwt"],
    responseTypes: ["code"],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    extraClientMetadata: { properties: [registeredScopes] },
    scopes: [...openidScopes],
    acrValues: [twoFactors],
    claims: { openid: ["sub", "auth_time", "amr", "acr"], email: ["email", "email_verified"], profile: ["name"] },
    // The ID token contains the name and the address, although userinfo has them too.
    conformIdTokenClaims: false,
    findAccount: (_ctx, userId) => findAccount(unitOfWork.current(), userId),
    loadExistingGrant: (ctx) => findGrant(ctx, unitOfWork.current().services),
    extraTokenClaims: async (ctx) => ({ ...accountOf(unitOfWork.current()), ...signInOf(ctx) }),
    formats: { customizers: { jwt: (_ctx, _token, { payload }) => beginNow(payload, deps.clock) } },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    // An application stays connected when its user signs out of the browser.
    expiresWithSession: async () => false,
    ttl: {
      AccessToken: hour,
      AuthorizationCode: minute,
      Grant: familyLifeSeconds + refreshIdleSeconds,
      IdToken: hour,
      Interaction: hour,
      RefreshToken: refreshSecondsLeft,
      Session: 30 * day,
    },
    interactions: {
      policy: createInteractionPolicy(deps.browserSessions, () => unitOfWork.current()),
      url: (_ctx, interaction) => `/interaction/${interaction.uid}`,
    },
    features: features(deps),
    ...providerPages(deps.views).errors,
  };
}

function features({ apiUrl, views, unitOfWork }: ProviderConfigurationDeps): Configuration["features"] {
  return {
    devInteractions: off,
    dPoP: off,
    pushedAuthorizationRequests: off,
    // The library's endpoint refuses every token for the gateway, so `api/userinfo.ts` replaces it.
    userinfo: off,
    revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => client.clientId === token.clientId },
    rpInitiatedLogout: { enabled: true, ...providerPages(views).signOut },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => apiUrl,
      useGrantedResource: async () => true,
      getResourceServerInfo: async (ctx, resource, client) => {
        if (resource !== apiUrl) {
          throw new errors.InvalidTarget(`resource must be ${apiUrl}`);
        }
        const registered = unitOfWork.current().exchange?.holder?.applicationScopes ?? registeredScopesOf(client);
        if (isNewRequest(ctx)) {
          refuseUnregisteredScopes(ctx.oidc.params?.["scope"], registered);
        }
        return {
          // The access token also has the scopes about the user, for userinfo.
          scope: registered.join(" "),
          audience: apiUrl,
          accessTokenFormat: "jwt",
          accessTokenTTL: hour,
          jwt: { sign: { alg: "RS256" } },
        };
      },
    },
  };
}

/** Later the application may be registered for fewer scopes than it once requested, and then gets fewer. */
function isNewRequest(ctx: KoaContextWithOIDC): boolean {
  return ctx.oidc.route === "authorization";
}

/** Leaves the name and the path of an interaction's cookie for `perInteraction` to complete. */
function cookies({ isSecure }: { isSecure: boolean }): Configuration["cookies"] {
  const prefix = isSecure ? "__Host-" : "";
  // Each value is 256 random bits that cannot be guessed, so a signature would add nothing.
  const options = { httpOnly: true, sameSite: "lax", secure: isSecure, signed: false } as const;
  return {
    names: { session: `${prefix}provider`, interaction: `${prefix}interaction`, resume: `${prefix}interaction` },
    long: { ...options, path: "/" },
    short: { ...options, overwrite: true },
  };
}

/** The user. In an exchange it is the holder of the grant, and `accountOf` refuses a grant without a holder. */
async function findAccount({ services, exchange }: Unit, userId: string): Promise<Account | undefined> {
  const user = exchange ? exchange.holder : await services.auth.users.get(userId);
  return user
    ? {
        accountId: userId,
        claims: () => ({ sub: userId, email: user.email, email_verified: true, name: user.name }),
      }
    : undefined;
}

/**
 * Our claims of an access token: its account, and the grant that the gateway checks. Only exchanges issue access
 * tokens.
 */
function accountOf({ exchange }: Unit): { account: string; grant: string } {
  if (!exchange?.holder) {
    throw new errors.InvalidGrant("the grant has ended");
  }
  return { account: exchange.holder.accountId, grant: exchange.holder.grantId };
}

/** How and when the user signed in (RFC 9068, 2.2.1), as recorded with the code. A refresh does not renew it. */
function signInOf({ oidc: { entities } }: KoaContextWithOIDC): Record<string, unknown> {
  const { authTime, acr, amr } = entities.RotatedRefreshToken ?? entities.AuthorizationCode ?? {};
  return { auth_time: authTime, amr, ...(acr !== undefined && { acr }) };
}

/**
 * Dates the token by Postgres' clock. The library uses this machine's clock, and a gateway refuses a token issued in
 * the future.
 */
function beginNow(claims: Record<string, unknown>, clock: Clock): void {
  const lifeSeconds = Number(claims["exp"]) - Number(claims["iat"]);
  const iat = Math.floor(clock.now() / 1000);
  Object.assign(claims, { iat, exp: iat + lifeSeconds });
}

function refreshSecondsLeft(_ctx: KoaContextWithOIDC, token: RefreshToken): number {
  return Math.max(1, Math.min(refreshIdleSeconds, familyLifeSeconds - token.totalLifetime()));
}
