import { Problem } from "@gateway/contract";
import type { Request, RequestHandler } from "express";
import { unauthenticated } from "../credentials/challenge.ts";
import type { CredentialUsage } from "../credentials/credential-usage.ts";
import {
  holdsApiKey,
  identifyByAuthorization,
  lastHolderOfToken,
  type AuthorizationDeps,
} from "../credentials/identify-by-authorization.ts";
import { identifyByApiKey, lastHolderOfApiKey, type IdentifyByApiKeyDeps } from "../credentials/identify-by-api-key.ts";
import type { CredentialHolder, Identification } from "./call.ts";

export type AuthenticateDeps = IdentifyByApiKeyDeps & AuthorizationDeps & { credentialUsage: CredentialUsage };

/** Identifies exactly one credential, in a header. A refusal is only noted here; see `NotedRefusals`. */
export function authenticate(deps: AuthenticateDeps): RequestHandler {
  return async (req, _res, next) => {
    try {
      note(req, await identify(req, deps), deps);
    } catch (error) {
      // Credentials cannot be looked up. The request is refused, but is logged for the account that this process last
      // knew.
      req.call.refusedHolder = await lastHolder(req, deps);
      throw error;
    }
    next();
  };
}

function note(req: Request, outcome: Identification, deps: AuthenticateDeps): void {
  if (outcome instanceof Problem) {
    req.call.noted["require-credential"] = outcome;
  } else if ("refusal" in outcome) {
    req.call.noted["require-credential"] = outcome.refusal;
    req.call.refusedHolder = outcome.holder;
  } else {
    req.call.principal = outcome;
    deps.credentialUsage.note(outcome.credential, {
      atMs: deps.clock.now(),
      address: req.ip ?? null,
      userAgent: req.headers["user-agent"] ?? null,
    });
  }
}

async function lastHolder({ headers }: Request, deps: AuthenticateDeps): Promise<CredentialHolder | null> {
  const secret = headers["x-api-key"];
  return typeof secret === "string"
    ? lastHolderOfApiKey(secret, deps)
    : lastHolderOfToken(headers.authorization ?? "", deps);
}

/** Identifies the caller by the credential alone, or returns the refusal. */
export async function identify(req: Request, deps: AuthenticateDeps): Promise<Identification> {
  const secret = req.headers["x-api-key"];
  const authorization = req.headers.authorization;
  if (secret !== undefined && authorization !== undefined) {
    return twoCredentials(authorization);
  }
  if (authorization !== undefined) {
    return identifyByAuthorization(authorization, deps);
  }
  // Node types a header that may repeat as a list; `check-target` has refused a second X-API-Key.
  return typeof secret === "string" ? identifyByApiKey(secret, deps) : withoutCredential(deps);
}

/** Refuses two credentials. A generated client that sets one header per security scheme sends its key in both. */
function twoCredentials(authorization: string): Problem {
  const remedy = holdsApiKey(authorization)
    ? 'An API key goes into X-API-Key alone, so leave out Authorization. For a generated client, see the guide "Use another client generator".'
    : "Send one: leave out Authorization to call with the API key, or X-API-Key to call with the access token.";
  return new Problem("INVALID_REQUEST", `The headers X-API-Key and Authorization are both sent. ${remedy}`, {
    details: [{ field: "Authorization", issue: "must not be combined with X-API-Key" }],
  });
}

function withoutCredential({ accessTokens }: AuthenticateDeps): Problem {
  return unauthenticated(
    accessTokens
      ? "Send an API key in the X-API-Key header, or an access token in Authorization: Bearer."
      : "Send an API key in the X-API-Key header.",
  );
}
