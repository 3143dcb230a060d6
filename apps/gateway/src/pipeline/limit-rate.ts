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

/** Without a valid credential the client's address is counted, at the lowest tier: guessing keys is limited too. */
export const anonymousLimit = tierLimits.explorer;

/** What the screens of an account's people read together. One that shows names asks for up to 15 lists (ADR 80). */
export const consoleReadLimit = 300;

export type LimitRateDeps = { rateLimiter: RateLimiter };

/** What is refused here has reached no route: what it was meant for is looked up, for the log of whose it is. */
type FindsPath = { findPath: FindPath };

/** Counts the request, then refuses what is over the limit and what an earlier stage found wrong, in that order. */
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

/** Also called for answers that are given before this stage, because every answer carries the state of its limit. */
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

/** Whoever is counted by address learns why: the credential is missing or wrong. */
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
