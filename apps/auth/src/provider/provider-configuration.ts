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
  /** The gateway: what access tokens are for, and the only thing they are for. */
  apiUrl: string;
  /** What the console proves itself with; null where there is none. */
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
 * The library's configuration: public applications, code with PKCE S256, refresh tokens that rotate at every use, and
 * access tokens that are JWTs (RFC 9068) for the gateway.
 */
export function providerConfiguration(
  deps: ProviderConfigurationDeps,
  /** The first one signs, all are published. */
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
    // Applications are registered for the first, the console for the second. What is not one's own has to be known to
    // be refused, in place of being ignored.
    clientAuthMethods: ["none", "client_secret_post", "private_key_jwt"],
    responseTypes: ["code"],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    extraClientMetadata: { properties: [registeredScopes] },
    scopes: [...openidScopes],
    acrValues: [twoFactors],
    claims: { openid: ["sub", "auth_time", "amr", "acr"], email: ["email", "email_verified"], profile: ["name"] },
    // Applications get the name and the address in the ID token, whether or not they ask for them again.
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
    // The library's refuses every token that is for the gateway; `api/userinfo.ts` is ours.
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
          // Those that say who the user is stand in the access token too, for userinfo.
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

/** Later on the application may be registered for less than it once asked, and then gets less. */
function isNewRequest(ctx: KoaContextWithOIDC): boolean {
  return ctx.oidc.route === "authorization";
}

/** The name and the path of an interaction's cookie are for `perInteraction` to finish. */
function cookies({ isSecure }: { isSecure: boolean }): Configuration["cookies"] {
  const prefix = isSecure ? "__Host-" : "";
  // Each value is 256 random bits that nobody but the database knows, so a signature would add nothing.
  const options = { httpOnly: true, sameSite: "lax", secure: isSecure, signed: false } as const;
  return {
    names: { session: `${prefix}provider`, interaction: `${prefix}interaction`, resume: `${prefix}interaction` },
    long: { ...options, path: "/" },
    short: { ...options, overwrite: true },
  };
}

/** In an exchange, whoever holds the grant is the user, and `accountOf` finds out whether anybody does. */
async function findAccount({ services, exchange }: Unit, userId: string): Promise<Account | undefined> {
  const user = exchange ? exchange.holder : await services.auth.users.get(userId);
  return user
    ? {
        accountId: userId,
        claims: () => ({ sub: userId, email: user.email, email_verified: true, name: user.name }),
      }
    : undefined;
}

/** Our claims of an access token: its account, and the grant by which it is judged. Only exchanges make some. */
function accountOf({ exchange }: Unit): { account: string; grant: string } {
  if (!exchange?.holder) {
    throw new errors.InvalidGrant("the grant has ended");
  }
  return { account: exchange.holder.accountId, grant: exchange.holder.grantId };
}

/** How and when the user signed in (RFC 9068, 2.2.1), as it was at the code: a refresh renews none of it. */
function signInOf({ oidc: { entities } }: KoaContextWithOIDC): Record<string, unknown> {
  const { authTime, acr, amr } = entities.RotatedRefreshToken ?? entities.AuthorizationCode ?? {};
  return { auth_time: authTime, amr, ...(acr !== undefined && { acr }) };
}

/** The library reads this machine's clock, and a gateway would refuse what was issued in the future of Postgres'. */
function beginNow(claims: Record<string, unknown>, clock: Clock): void {
  const lifeSeconds = Number(claims["exp"]) - Number(claims["iat"]);
  const iat = Math.floor(clock.now() / 1000);
  Object.assign(claims, { iat, exp: iat + lifeSeconds });
}

function refreshSecondsLeft(_ctx: KoaContextWithOIDC, token: RefreshToken): number {
  return Math.max(1, Math.min(refreshIdleSeconds, familyLifeSeconds - token.totalLifetime()));
}
