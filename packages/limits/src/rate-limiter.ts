import type { Clock } from "@gateway/kernel";
import type { Redis } from "ioredis";
import { LRUCache } from "lru-cache";
import type { Count } from "./count.ts";
import { createMemoryCounter } from "./memory-counter.ts";
import { createRedisCounter } from "./redis-counter.ts";

export type RateLimitState = {
  /** Requests per window. */
  limit: number;
  remaining: number;
  /** End of the window, ms since the Unix epoch. */
  resetsAtMs: number;
  /** Time until then, at most a window, whatever the time of day. */
  resetsInMs: number;
  isAllowed: boolean;
  /** True when the shared store did not answer and this process counted alone. */
  isStoreAway: boolean;
};

export interface RateLimiter {
  /** Counts one request against a bucket of `limit` requests per window. Never rejects. */
  consume(bucket: string, limit: number): Promise<RateLimitState>;
  /** Reads the rest of a bucket without counting. Never rejects. */
  look(bucket: string, limit: number): Promise<RateLimitState>;
  /**
   * Takes back a request that should not count. Its window has one more, if it is still the same one. Never rejects.
   */
  giveBack(bucket: string): Promise<void>;
  /** Begins a new window. Never rejects. */
  forget(bucket: string): Promise<void>;
}

export type RateLimiterOptions = {
  clock: Clock;
  windowSeconds: number;
  /** Shared by all processes; null counts in this process only. */
  redis: Redis | null;
  /** The prefix of the keys in Redis, `limit` by default. Limiters with the same prefix share their counts. */
  keyPrefix?: string;
  /** How long a count may take, instead of `storePatienceMs`. */
  patienceMs?: number;
  /** Called for each request that the shared store did not count. */
  onStoreFailure(error: unknown): void;
};

/**
 * How long to count alone after the store failed, because a hanging store must not slow every request.
 */
const retryStoreAfterMs = 1000;
/** More than the round trip and a stall can shift the end of a window, and less than the shortest window. */
const blurMs = 500;

/**
 * Fixed windows that begin with the first request, so that the reset time is exact. With Redis they are counted for all
 * processes. When Redis fails or is slower than our patience, this process counts alone and reports that.
 */
export function createRateLimiter({ redis, keyPrefix = "limit", ...options }: RateLimiterOptions): RateLimiter {
  const windowMs = 1000 * options.windowSeconds;
  const here = createMemoryCounter({ windowMs });
  const together = redis && createRedisCounter({ ...options, redis, windowMs, keyPrefix });
  const windowEndOf = createWindowEnds(options.clock, windowMs);
  let askStoreAgainAtMs = 0;

  const stateOf = (
    bucket: string,
    limit: number,
    { requests, leftMs }: Count,
    isStoreAway: boolean,
  ): RateLimitState => ({
    limit,
    remaining: Math.max(0, limit - requests),
    resetsAtMs: windowEndOf(bucket, leftMs),
    resetsInMs: leftMs,
    isAllowed: requests <= limit,
    isStoreAway,
  });

  /** Undefined when the shared store is unavailable. */
  const askStore = async <Answer>(ask: (store: Store) => Answer): Promise<Awaited<Answer> | undefined> => {
    if (!together || performance.now() < askStoreAgainAtMs) {
      return undefined;
    }
    try {
      return await ask(together);
    } catch (error) {
      askStoreAgainAtMs = performance.now() + retryStoreAfterMs;
      options.onStoreFailure(error);
      return undefined;
    }
  };

  return {
    consume: async (bucket, limit) => {
      const count = await askStore((store) => store.count(bucket));
      return stateOf(bucket, limit, count ?? here.count(bucket), count === undefined && together !== null);
    },
    look: async (bucket, limit) => {
      const count = await askStore((store) => store.look(bucket));
      return stateOf(bucket, limit, count ?? here.look(bucket), count === undefined && together !== null);
    },
    giveBack: async (bucket) => {
      await askStore((store) => store.giveBack(bucket));
      await here.giveBack(bucket);
    },
    forget: async (bucket) => {
      await askStore((store) => store.forget(bucket));
      await here.forget(bucket);
    },
  };
}

type Store = ReturnType<typeof createRedisCounter>;

/**
 * Adding the rest of a window to the time of day varies with the round trip. So the first computed end of a window is
 * kept, until the clock is set.
 */
function createWindowEnds(clock: Clock, windowMs: number): (bucket: string, leftMs: number) => number {
  const windowEnds = new LRUCache<string, number>({ max: 10_000 });
  return (bucket, leftMs) => {
    const nowMs = clock.now();
    const seenMs = nowMs + leftMs;
    const knownMs = windowEnds.get(bucket);
    if (knownMs !== undefined && Math.abs(knownMs - seenMs) < blurMs) {
      return Math.min(knownMs, nowMs + windowMs);
    }
    windowEnds.set(bucket, seenMs);
    return seenMs;
  };
}
