import { Problem } from "@gateway/contract";
import { bucketOfPreflights, type RateLimiter } from "@gateway/limits";
import type { Request, RequestHandler, Response } from "express";
import type { RegisteredOrigins } from "../credentials/registered-origins.ts";
import { throwNoted } from "./call.ts";
import { tooManyRequests } from "./limit-rate.ts";
import { headersOf } from "./respond.ts";

export type CrossOriginDeps = { origins: Pick<RegisteredOrigins, "has">; rateLimiter: RateLimiter };

/** Preflights a minute for each address. The browser sends them, so they do not count against an account's limit. */
const preflightLimit = 300;

/** Headers that clients read in addition to the body. */
const exposedHeaders = [
  ...["Allow", "Idempotency-Replayed", "Retry-After", "WWW-Authenticate"],
  ...["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"],
].join(", ");

/** A page may send a key, so that it can read the refusal. Chromium asks again after two hours at the latest. */
const preflightHeaders = {
  "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, X-API-Key",
  "Access-Control-Max-Age": "600",
};

/**
 * CORS (Fetch, 3.2): pages of registered applications can read every response. No cookies; the origin `null` is never
 * registered.
 */
export function allowOrigin(deps: CrossOriginDeps): RequestHandler {
  return async (req, res, next) => {
    const { origin } = req.headers;
    if (origin === undefined) {
      next();
      return;
    }
    const isRegistered = deps.origins.has(origin);
    res.setHeader("Vary", "Origin");
    if (isRegistered) {
      res.setHeader("Access-Control-Allow-Origin", origin);
      res.setHeader("Access-Control-Expose-Headers", exposedHeaders);
    }
    if (!isPreflight(req)) {
      next();
      return;
    }
    await countPreflight(req, deps);
    if (!isRegistered) {
      throw new Problem(
        "FORBIDDEN",
        `Pages of this origin may not call the API: no OAuth application has a redirect URI there.`,
      );
    }
    answerPreflight(req, res);
  };
}

/** A token serves the pages of its own application. A key serves none, because every visitor of a page can read it. */
export const requireOrigin: RequestHandler = (req, _res, next) => {
  const { origin } = req.headers;
  const { principal } = req.call;
  if (origin === undefined || principal === null || principal.origins?.includes(origin)) {
    next();
    return;
  }
  throw new Problem(
    "FORBIDDEN",
    principal.origins === null
      ? "An API key must not be in a page, where every visitor can read it. Revoke this one, and let your users sign in with OAuth. From a server, send no Origin header."
      : "This access token belongs to an application that has no redirect URI at the origin of this page.",
  );
};

function isPreflight(req: Request): boolean {
  return req.method === "OPTIONS" && req.headers["access-control-request-method"] !== undefined;
}

async function countPreflight(req: Request, { rateLimiter }: CrossOriginDeps): Promise<void> {
  const state = await rateLimiter.consume(bucketOfPreflights(req.ip), preflightLimit);
  req.call.rateLimit = state;
  if (!state.isAllowed) {
    throw tooManyRequests(state);
  }
  throwNoted(req, "limit-rate");
}

function answerPreflight(req: Request, res: Response): void {
  const { "Content-Type": _none, ...headers } = headersOf(req.call);
  res.writeHead(204, { ...headers, ...preflightHeaders });
  res.end();
}
