import type { RateLimitState } from "./rate-limiter.ts";

/** The headers that every response has about its limit. `Reset` is in Unix seconds. */
export function rateLimitHeaders({ limit, remaining, resetsAtMs }: RateLimitState): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(Math.ceil(resetsAtMs / 1000)),
  };
}

/** For `Retry-After`: whole seconds, at least one. */
export function retryAfterSecondsOf({ resetsInMs }: Pick<RateLimitState, "resetsInMs">): number {
  return Math.max(1, Math.ceil(resetsInMs / 1000));
}
