import type { Clock } from "@gateway/kernel";
import type { GrantHolder, Grants } from "@gateway/platform/accounts";
import type { PublicJwk } from "@gateway/platform/auth";
import { createLocalJWKSet, errors, jwtVerify } from "jose";

type KnownToken = { userId: string; clientId: string; grantId: string; scope: string; holder: GrantHolder };

export type IssuedTokens = ReturnType<typeof createIssuedTokens>;

export type IssuedTokensDeps = {
  keys: () => readonly PublicJwk[];
  grants: Pick<Grants, "findHolder">;
  clock: Clock;
  authUrl: string;
  apiUrl: string;
};

/** Our tokens are below 2 KiB. */
const maxLength = 4096;

/** Verifies tokens like the gateway (RFC 9068, 4), with the keys in memory. */
export function createIssuedTokens(deps: IssuedTokensDeps) {
  return {
    /** Null for anything except an unexpired access token of this service whose grant still holds. */
    verify: async (token: string): Promise<KnownToken | null> => {
      const claims = token.length <= maxLength ? await verifyClaims(token, deps) : null;
      const holder = claims && (await deps.grants.findHolder(claims.grantId));
      const isHolders = holder?.userId === claims?.userId && holder?.applicationId === claims?.clientId;
      return claims && holder && isHolders && !holder.isSuspended ? { ...claims, holder } : null;
    },
  };
}

async function verifyClaims(
  token: string,
  { keys, clock, authUrl, apiUrl }: IssuedTokensDeps,
): Promise<Omit<KnownToken, "holder"> | null> {
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: [...keys()] }), {
      issuer: authUrl,
      audience: apiUrl,
      typ: "at+jwt",
      algorithms: ["RS256"],
      clockTolerance: 5,
      currentDate: new Date(clock.now()),
      requiredClaims: ["exp", "iat", "sub", "client_id", "jti", "grant"],
    });
    const [userId = "", clientId = "", grantId = "", scope = ""] = ["sub", "client_id", "grant", "scope"].map((claim) =>
      textOf(payload[claim]),
    );
    return { userId, clientId, grantId, scope };
  } catch (error) {
    if (error instanceof errors.JOSEError) {
      return null;
    }
    throw error;
  }
}

function textOf(claim: unknown): string {
  return typeof claim === "string" ? claim : "";
}
