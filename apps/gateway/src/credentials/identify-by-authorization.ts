import { Problem } from "@gateway/contract";
import { permissionOfToken, requestsPerMinuteOf, type GrantHolder } from "@gateway/platform/accounts";
import type { CredentialHolder, Identification, Principal } from "../pipeline/call.ts";
import type { AccessTokenClaims, AccessTokenVerifier } from "./access-token-verifier.ts";
import { accountSuspended, invalidToken, unauthenticated } from "./challenge.ts";
import type { CredentialCache } from "./credential-cache.ts";

export type AuthorizationDeps = {
  /** Null without an identity provider. */
  accessTokens: AccessTokenVerifier | null;
  grantCache: CredentialCache<GrantHolder>;
};

/** RFC 6750, 2.1: token68 after the scheme, whose letter case does not count. */
const bearerPattern = /^bearer ([\w.~+/-]+=*)$/i;

/** Identifies the caller by the token's grant: a valid token allows what its grant allows now. */
export async function identifyByAuthorization(
  authorization: string,
  { accessTokens, grantCache }: AuthorizationDeps,
): Promise<Identification> {
  const refusal = refuseScheme(authorization, accessTokens !== null);
  if (refusal || !accessTokens) {
    return refusal ?? withoutProvider();
  }
  const [, token] = bearerPattern.exec(authorization) ?? [];
  if (token === undefined) {
    return invalidToken("Authorization must be Bearer, one space and the access token, and nothing else.");
  }
  const claims = await accessTokens.verify(token);
  if (claims instanceof Problem) {
    return claims;
  }
  const holder = await grantCache.find(claims.grantId);
  if (!holder || !isOf(holder, claims)) {
    return invalidToken(
      "The access token was revoked: its user disconnected the application or left the account, or the application was deleted. Sign in again.",
    );
  }
  const principal = principalFrom(holder, claims);
  return holder.isSuspended ? { refusal: accountSuspended(), holder: principal } : principal;
}

/** The last known holder of a valid token; see `CredentialCache.lastKnown`. */
export async function lastHolderOfToken(
  authorization: string,
  { accessTokens, grantCache }: AuthorizationDeps,
): Promise<CredentialHolder | null> {
  const [, token = ""] = bearerPattern.exec(authorization) ?? [];
  const claims = await accessTokens?.verify(token);
  if (!claims || claims instanceof Problem) {
    return null;
  }
  const holder = grantCache.lastKnown(claims.grantId);
  return holder && isOf(holder, claims) ? principalFrom(holder, claims) : null;
}

/** A token names its grant. The grant must belong to the user, the account and the application that the token names. */
function isOf(holder: GrantHolder, claims: AccessTokenClaims): boolean {
  return (
    holder.userId === claims.userId &&
    holder.accountId === claims.accountId &&
    holder.applicationId === claims.applicationId
  );
}

function principalFrom(holder: GrantHolder, { scopes, signedInAtSeconds }: AccessTokenClaims): Principal {
  const { grantId, userId, personId, applicationId, applicationScopes, role, permission: grantPermission } = holder;
  return {
    accountId: holder.accountId,
    permission: permissionOfToken({ role, grantPermission, tokenScopes: scopes, applicationScopes }),
    requestsPerMinute: requestsPerMinuteOf(holder),
    signedInAtSeconds,
    origins: holder.applicationOrigins,
    credential: { kind: "accessToken", grantId, userId, personId, applicationId },
  };
}

/** Whether an API key follows the scheme. API keys are never accepted there. */
export function holdsApiKey(authorization: string): boolean {
  const [, value = ""] = authorization.split(/[ \t]/);
  return value.startsWith("gk_");
}

function refuseScheme(authorization: string, takesTokens: boolean): Problem | null {
  const [scheme = ""] = authorization.split(/[ \t]/);
  if (holdsApiKey(authorization)) {
    return unauthenticated("API keys go into the X-API-Key header, not into Authorization.");
  }
  if (scheme.toLowerCase() === "bearer") {
    return null;
  }
  return unauthenticated(
    `Authorization supports only the Bearer scheme. Send ${takesTokens ? "an access token this way, or " : ""}an API key in X-API-Key.`,
  );
}

function withoutProvider(): Problem {
  return unauthenticated(
    "This gateway has no identity provider, so it does not accept access tokens. Send an API key in X-API-Key.",
  );
}
