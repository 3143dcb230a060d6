import { Problem } from "@gateway/contract";
import {
  bucketOfAccount,
  bucketOfAddress,
  retryAfterSecondsOf,
  type RateLimiter,
  type RateLimitState,
} from "@gateway/limits";
import { tierLimits } from "@gateway/platform";
import type { Request, RequestHandler } from "express";

/** Without a valid credential the client's address is counted, at the lowest tier: guessing keys is limited too. */
export const anonymousLimit = tierLimits.explorer;

export type LimitRateDeps = { rateLimiter: RateLimiter };

/** Stage 5. Counts the request, then refuses what is over the limit and what an earlier stage found wrong, in that order. */
export function limitRate(deps: LimitRateDeps): RequestHandler {
  return async (req, _res, next) => {
    const state = await countRequest(req, deps);
    if (!state.isAllowed) {
      throw tooManyRequests(state, req.call.credentialProblem);
    }
    if (req.call.refusal) {
      throw req.call.refusal;
    }
    next();
  };
}

/** Also called for answers that are given before this stage, because every answer carries the state of its limit. */
export async function countRequest(req: Request, deps: LimitRateDeps): Promise<RateLimitState> {
  const { principal } = req.call;
  req.call.rateLimit = principal
    ? await deps.rateLimiter.consume(bucketOfAccount(principal.accountId), principal.requestsPerMinute)
    : await deps.rateLimiter.consume(bucketOfAddress(req.ip), anonymousLimit);
  return req.call.rateLimit;
}

/** Whoever is counted by address learns why: the credential that would have counted its account instead is missing or wrong. */
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
