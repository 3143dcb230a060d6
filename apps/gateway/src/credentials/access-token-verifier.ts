import { Problem } from "@gateway/contract";
import { type Clock } from "@gateway/kernel";
import { decodeJwt, errors, jwtVerify, type JWTPayload, type JWTVerifyOptions } from "jose";
import { LRUCache } from "lru-cache";
import { hash } from "node:crypto";
import { invalidToken } from "./challenge.ts";
import type { PublishedKey, KeySet } from "./key-set.ts";
import { keyNameOf } from "./token-form.ts";

/** Claims of an access token whose signature was verified. Its grant decides what the token allows. */
export type AccessTokenClaims = {
  userId: string;
  accountId: string;
  grantId: string;
  applicationId: string;
  scopes: readonly string[];
  /** `auth_time`; null when it is missing or is not a possible time. */
  signedInAtSeconds: number | null;
};

export interface AccessTokenVerifier {
  /** The Problem is the response to send: 401, or 503 when the identity provider's keys cannot be read. */
  verify(token: string): Promise<AccessTokenClaims | Problem>;
}

export type AccessTokenVerifierDeps = { issuer: string; audience: string; keys: KeySet; clock: Clock };

/** Clocks of two machines may differ by this much. */
const toleranceSeconds = 5;
/** The identity provider issues no token that lives longer. */
const maxLifeSeconds = 3600;
const maxEntries = 10_000;

type Verified = { claims: AccessTokenClaims; signingKey: PublishedKey; expiresAtMs: number };

/**
 * Believes JWT access tokens (RFC 9068) of one issuer for one audience. A verified token is remembered under its hash,
 * because checking a signature costs more than the rest. A wrong token is not remembered, because their number has no
 * bound.
 */
export function createAccessTokenVerifier(deps: AccessTokenVerifierDeps): AccessTokenVerifier {
  const verified = new LRUCache<string, Verified>({ max: maxEntries });
  return {
    verify: async (token) => {
      const name = hash("sha256", token, "base64url");
      const known = verified.get(name);
      if (known && known.expiresAtMs > deps.clock.now() && deps.keys.isPublished(known.signingKey)) {
        return known.claims;
      }
      verified.delete(name);
      const outcome = await verifyAnew(token, deps);
      if (outcome instanceof Problem) {
        return outcome;
      }
      verified.set(name, outcome);
      return outcome.claims;
    },
  };
}

async function verifyAnew(token: string, deps: AccessTokenVerifierDeps): Promise<Verified | Problem> {
  const keyName = keyNameOf(token);
  if (keyName === null) {
    return invalidToken("The value behind Bearer is not an access token of this gateway's identity provider.");
  }
  const signingKey = await deps.keys.find(keyName);
  if (signingKey === null) {
    // Keys leave the set after the last token that they signed. Only the message to the sender depends on this check.
    if (hasExpired(token, deps)) {
      return expired();
    }
    return invalidToken(
      "The access token is signed with a key that this gateway's identity provider does not publish.",
    );
  }
  if (signingKey instanceof Problem) {
    return signingKey;
  }
  try {
    const { payload } = await jwtVerify(token, signingKey.key, optionsOf(deps));
    return judgeClaims(payload, signingKey);
  } catch (error) {
    return problemOf(error, deps);
  }
}

function optionsOf({ issuer, audience, clock }: AccessTokenVerifierDeps): JWTVerifyOptions {
  return {
    issuer,
    audience,
    typ: "at+jwt",
    algorithms: ["RS256"],
    clockTolerance: toleranceSeconds,
    currentDate: new Date(clock.now()),
    // Refuses tokens issued in the future, too.
    maxTokenAge: maxLifeSeconds,
  };
}

/** jose has checked the signature, the issuer and the times. The presence of the other claims is checked here. */
function judgeClaims(payload: JWTPayload, signingKey: PublishedKey): Verified | Problem {
  const { sub, client_id, account, grant, jti, scope = "", exp, iat, auth_time } = payload;
  const areNames = isName(sub) && isName(client_id) && isName(account) && isName(grant) && isName(jti);
  const isLifeWhole = Number.isSafeInteger(exp) && Number.isSafeInteger(iat);
  const lifeSeconds = Number(exp) - Number(iat);
  if (!areNames || typeof scope !== "string" || !isLifeWhole || !(lifeSeconds > 0 && lifeSeconds <= maxLifeSeconds)) {
    return invalidToken(
      "The access token does not have the claims that this gateway's identity provider puts into every token. Get a new one.",
    );
  }
  return {
    signingKey,
    expiresAtMs: (Number(exp) + toleranceSeconds) * 1000,
    claims: Object.freeze({
      userId: sub,
      accountId: account,
      grantId: grant,
      applicationId: client_id,
      scopes: scope.split(" ").filter((name) => name !== ""),
      signedInAtSeconds: isTime(auth_time) && auth_time <= Number(iat) ? auth_time : null,
    }),
  };
}

/** Ids from our tables and from the library have no characters that a database would reject. */
function isName(value: unknown): value is string {
  return typeof value === "string" && /^[\w-]{1,200}$/.test(value);
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function problemOf(error: unknown, deps: AccessTokenVerifierDeps): Problem {
  if (error instanceof errors.JWTExpired) {
    return expired();
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    return invalidToken(`The access token ${claimFault(error.claim, deps)}`);
  }
  if (error instanceof errors.JOSEError) {
    return invalidToken("The access token's signature is not that of this gateway's identity provider.");
  }
  throw error;
}

function expired(): Problem {
  return invalidToken("The access token has expired. Refresh it.");
}

/** Reads the expiry from the token itself, before its signature is verified. */
function hasExpired(token: string, { clock }: AccessTokenVerifierDeps): boolean {
  try {
    const { exp } = decodeJwt(token);
    return typeof exp === "number" && exp * 1000 < clock.now();
  } catch {
    return false;
  }
}

function claimFault(claim: string, { issuer, audience }: AccessTokenVerifierDeps): string {
  switch (claim) {
    case "iss":
      return `was not issued by ${issuer}, the identity provider of this gateway. Tokens of the sandbox do not work in production, nor the reverse.`;
    case "aud":
      return `is not for this API: its audience must be ${audience}.`;
    case "typ":
      return "is of another type: send the access token (at+jwt), not the ID token.";
    case "nbf":
      return "is not valid yet.";
    case "iat":
      return "was issued in the future. Compare the clocks.";
    default:
      return "does not have the claims that this gateway's identity provider puts into every token. Get a new one.";
  }
}
