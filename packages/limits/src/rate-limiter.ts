import type { Clock } from "@gateway/kernel";
import type { Redis } from "ioredis";
import { LRUCache } from "lru-cache";
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract } from "rate-limiter-flexible";
import { storePatienceMs, withinPatience } from "./within-patience.ts";

export type RateLimitState = {
  /** Requests per window. */
  limit: number;
  remaining: number;
  /** End of the window, ms since the Unix epoch. */
  resetsAtMs: number;
  isAllowed: boolean;
  /** True when the shared store did not answer and this process counted alone. */
  isStoreAway: boolean;
};

export interface RateLimiter {
  /** Counts one request against a bucket of `limit` requests per window. Never rejects. */
  consume(bucket: string, limit: number): Promise<RateLimitState>;
}

export type RateLimiterOptions = {
  clock: Clock;
  windowSeconds: number;
  /** Shared by all processes; null counts in this process only. */
  redis: Redis | null;
  /** What the keys in Redis begin with, `limit` unless given: limiters share their counts when it is the same. */
  keyPrefix?: string;
  /** How long a count may take, in place of `storePatienceMs`. */
  patienceMs?: number;
  /** Called for each request that the shared store did not count. */
  onStoreFailure(error: unknown): void;
};

/** The library compares with a limit fixed when it is built; ours differs by account, so it only counts and we compare. */
const noLimit = Number.MAX_SAFE_INTEGER;
/** How long to count alone after the store failed before asking it again: a hanging store must not slow every request. */
const retryStoreAfterMs = 1000;
/** More than the round trip and a stall can blur the end of a window, less than the shortest window is long. */
const blurMs = 500;

/**
 * Fixed windows that begin with the first request, so that the reset time is exact. With Redis, one script call counts for
 * all processes. When Redis fails or is slower than our patience, this process counts alone, and says so.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const counting = { points: noLimit, duration: options.windowSeconds, keyPrefix: options.keyPrefix ?? "limit" };
  const local = new RateLimiterMemory(counting);
  const shared =
    options.redis && new RateLimiterRedis({ ...counting, storeClient: options.redis, rejectIfRedisNotReady: true });
  const windowEnds = new LRUCache<string, number>({ max: 10_000 });
  let askStoreAgainAtMs = 0;

  /** The store tells the time that is left. Added to our clock that wavers by the round trip; the first sight of a window's end stands. */
  const windowEndOf = (bucket: string, seenMs: number): number => {
    const knownMs = windowEnds.get(bucket);
    if (knownMs !== undefined && Math.abs(knownMs - seenMs) < blurMs) {
      return knownMs;
    }
    windowEnds.set(bucket, seenMs);
    return seenMs;
  };

  const count = async (
    limiter: RateLimiterAbstract,
    bucket: string,
    limit: number,
    isStoreAway: boolean,
  ): Promise<RateLimitState> => {
    const counting = limiter.consume(bucket);
    const result = await (limiter === shared
      ? withinPatience(counting, options.patienceMs ?? storePatienceMs)
      : counting);
    return {
      limit,
      remaining: Math.max(0, limit - result.consumedPoints),
      resetsAtMs: windowEndOf(bucket, options.clock.now() + result.msBeforeNext),
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
