import type { Clock } from "@gateway/kernel";
import type { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract } from "rate-limiter-flexible";
import type { RateLimitState } from "../pipeline/call.ts";

export interface RateLimiter {
  /** Counts one request against a bucket of `limit` requests per window. Never rejects. */
  consume(bucket: string, limit: number): Promise<RateLimitState>;
}

export type RateLimiterOptions = {
  clock: Clock;
  windowSeconds: number;
  /** Shared by all processes; null counts in this process only. */
  redis: Redis | null;
  /** Called for each request that the shared store did not count. */
  onStoreFailure(error: unknown): void;
};

/** The library compares with a limit fixed when it is built; ours differs by account, so it only counts and we compare. */
const noLimit = Number.MAX_SAFE_INTEGER;
/** How long to count alone after the store failed before asking it again: a hanging store must not slow every request. */
const retryStoreAfterMs = 1000;

/**
 * Fixed windows that begin with the first request, so that the reset time is exact. With Redis, one script call counts for
 * all processes. When Redis fails or is slower than its command timeout, this process counts alone, and says so.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const counting = { points: noLimit, duration: options.windowSeconds, keyPrefix: "limit" };
  const local = new RateLimiterMemory(counting);
  const shared = options.redis && new RateLimiterRedis({ ...counting, storeClient: options.redis, rejectIfRedisNotReady: true });
  let askStoreAgainAtMs = 0;

  const count = async (limiter: RateLimiterAbstract, bucket: string, limit: number, isStoreAway: boolean): Promise<RateLimitState> => {
    const result = await limiter.consume(bucket);
    return {
      limit,
      remaining: Math.max(0, limit - result.consumedPoints),
      resetsAtMs: options.clock.now() + result.msBeforeNext,
      isAllowed: result.consumedPoints <= limit,
      isStoreAway,
    };
  };

  return {
    consume: async (bucket, limit) => {
      if (!shared) {
        return count(local, bucket, limit, false);
      }
      if (performance.now() >= askStoreAgainAtMs) {
        try {
          return await count(shared, bucket, limit, false);
        } catch (error) {
          askStoreAgainAtMs = performance.now() + retryStoreAfterMs;
          options.onStoreFailure(error);
        }
      }
      return count(local, bucket, limit, true);
    },
  };
}
