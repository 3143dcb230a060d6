import { Problem, type Clock } from "@gateway/kernel";
import { apiKeyStatusOf, parseApiKeySecret, requestsPerMinuteOf, type ApiKeyHolder } from "@gateway/platform";
import type { Request, RequestHandler } from "express";
import type { ApiKeyCache } from "../credentials/api-key-cache.ts";
import type { ApiKeyUsage } from "../credentials/api-key-usage.ts";
import type { Principal } from "./call.ts";

export type AuthenticateDeps = { apiKeyCache: ApiKeyCache; apiKeyUsage: ApiKeyUsage; clock: Clock; livemode: boolean };

/**
 * Stage 3. Exactly one credential per request. What is wrong with it is only noted here: the request is counted first, and an
 * unknown path is 404 for everyone.
 */
export function authenticate(deps: AuthenticateDeps): RequestHandler {
  return async (req, _res, next) => {
    const outcome = await identify(req, deps);
    if (outcome instanceof Problem) {
      req.call.credentialProblem = outcome;
    } else {
      req.call.principal = outcome;
    }
    next();
  };
}

async function identify(req: Request, deps: AuthenticateDeps): Promise<Principal | Problem> {
  const secret = req.headers["x-api-key"];
  const authorization = req.headers.authorization;
  if (secret !== undefined && authorization !== undefined) {
    return new Problem("INVALID_REQUEST", "Send either X-API-Key or Authorization, not both.", {
      details: [{ field: "Authorization", issue: "must not be sent beside X-API-Key" }],
    });
  }
  if (authorization !== undefined) {
    return refuseAuthorization(authorization);
  }
  // Node types a header that may repeat as a list; stage 2 has refused a second X-API-Key.
  return typeof secret === "string"
    ? identifyByApiKey(secret, deps)
    : unauthenticated("Send an API key in the X-API-Key header.");
}

async function identifyByApiKey(secret: string, deps: AuthenticateDeps): Promise<Principal | Problem> {
  const parsed = parseApiKeySecret(secret);
  if (!parsed) {
    return unauthenticated(
      "The value of X-API-Key is not an API key. A key begins with gk_test_ or gk_live_; copy it whole.",
    );
  }
  if (parsed.livemode !== deps.livemode) {
    return unauthenticated(
      parsed.livemode
        ? "This is a live key (gk_live_), and this is the sandbox. Use a test key here, or call the production address."
        : "This is a test key (gk_test_), and this is production. Use a live key here, or call the sandbox address.",
    );
  }
  const holder = await deps.apiKeyCache.find(secret);
  if (!holder) {
    return unauthenticated("There is no such API key. It may have been made for another deployment.");
  }
  const nowMs = deps.clock.now();
  const status = apiKeyStatusOf(holder, nowMs);
  if (status !== "active") {
    return unauthenticated(`This API key is ${status}. Use another key, or create a new one.`);
  }
  deps.apiKeyUsage.note(holder.apiKeyId, nowMs);
  return principalFrom(holder);
}

function principalFrom(holder: ApiKeyHolder): Principal {
  return {
    accountId: holder.accountId,
    apiKeyId: holder.apiKeyId,
    permission: holder.permission,
    requestsPerMinute: requestsPerMinuteOf(holder),
  };
}

function refuseAuthorization(authorization: string): Problem {
  const [scheme = "", value = ""] = authorization.split(" ");
  if (value.startsWith("gk_")) {
    return unauthenticated("API keys go into the X-API-Key header, not into Authorization.");
  }
  return scheme.toLowerCase() === "bearer"
    ? unauthenticated(
        "This gateway has no identity provider, so it takes no access tokens. Send an API key in X-API-Key.",
      )
    : unauthenticated("Authorization takes the Bearer scheme only. Send an API key in X-API-Key.");
}

/** RFC 9110, 11.6.1: a 401 names a challenge. Bearer is the one registered scheme among ours; API keys have none. */
function unauthenticated(message: string): Problem {
  return new Problem("UNAUTHENTICATED", message, { headers: { "WWW-Authenticate": 'Bearer realm="gateway"' } });
}
