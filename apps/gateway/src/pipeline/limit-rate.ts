import { Problem, type FindPath } from "@gateway/contract";
import {
  bucketOfAccount,
  bucketOfAddress,
  bucketOfConsole,
  retryAfterSecondsOf,
  type RateLimiter,
  type RateLimitState,
} from "@gateway/limits";
import { tierLimits } from "@gateway/platform/accounts";
import type { Request, RequestHandler } from "express";
import { sourceOf } from "./call-source.ts";
import { throwNoted } from "./call.ts";

/**
 * Without a valid credential the client's address is counted, at the lowest tier, which also limits the guessing of
 * keys.
 */
export const anonymousLimit = tierLimits.explorer;

/**
 * Reads a minute by the console, for all people of an account together. A screen with names reads up to 15 lists (ADR
 * 80).
 */
const consoleReadLimit = 300;

export type LimitRateDeps = { rateLimiter: RateLimiter };

/** A request that is refused here has not reached a route. Its operation is looked up for the account's request log. */
type FindsPath = { findPath: FindPath };

/** Counts the request. Then refuses it over the limit, or for a noted refusal, in that order. */
export function limitRate(deps: LimitRateDeps & FindsPath): RequestHandler {
  return async (req, _res, next) => {
    const state = await countRequest(req, deps);
    if (!state.isAllowed) {
      const method = req.method === "HEAD" ? "GET" : req.method;
      req.call.operation = deps.findPath(req.path)?.operations.get(method) ?? null;
      throw tooManyRequests(state, req.call.noted["require-credential"]);
    }
    throwNoted(req, "limit-rate");
    next();
  };
}

/** Also counts requests that are refused before this stage, because every response carries the state of its limit. */
export async function countRequest(req: Request, deps: LimitRateDeps): Promise<RateLimitState> {
  const { bucket, limit } = limitOf(req);
  req.call.rateLimit = await deps.rateLimiter.consume(bucket, limit);
  return req.call.rateLimit;
}

function limitOf(req: Request): { bucket: string; limit: number } {
  const { principal } = req.call;
  if (!principal) {
    return { bucket: bucketOfAddress(req.ip), limit: anonymousLimit };
  }
  const { accountId, requestsPerMinute } = principal;
  return isRead(req) && sourceOf(req) === "console"
    ? { bucket: bucketOfConsole(accountId), limit: consoleReadLimit }
    : { bucket: bucketOfAccount(accountId), limit: requestsPerMinute };
}

function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

/** A caller counted by address learns why: the credential is missing or wrong. */
export function tooManyRequests(state: RateLimitState, credentialProblem: Problem | null = null): Problem {
  const { limit } = state;
  const retryAfterSeconds = retryAfterSecondsOf(state);
  return new Problem(
    "RATE_LIMITED",
    credentialProblem === null
      ? `The limit of ${limit} requests per minute is used up. Try again in ${retryAfterSeconds} s.`
      : `Your address has used up its ${limit} requests per minute without a valid credential. ${credentialProblem.message} Try again in ${retryAfterSeconds} s.`,
    {
      headers: { "Retry-After": String(retryAfterSeconds) },
    },
  );
}
