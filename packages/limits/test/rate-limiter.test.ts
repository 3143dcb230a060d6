import { createLogger, systemClock, type Clock } from "@gateway/kernel";
import { redisServer, type RedisServer } from "@gateway/testkit";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRateLimiter, openRedis, type RateLimiter } from "../src/index.ts";

test("the reset stands still within a window, however long the count took", async () => {
  let asked = 0;
  const waveringClock: Clock = { now: () => Date.now() + (asked++ % 5) * 50 };
  const limiter = createRateLimiter({ clock: waveringClock, windowSeconds: 60, redis: null, onStoreFailure: () => {} });
  const states = await Promise.all(Array.from({ length: 50 }, () => limiter.consume("account a", 10)));
  expect(new Set(states.map((state) => state.resetsAtMs)).size).toBe(1);
});

const server = await redisServer();

describe.runIf(server)("limiters on one Redis", () => {
  let redis: Redis;

  beforeAll(async () => {
    redis = await openRedis((server as RedisServer).url, createLogger({ name: "test", level: "silent" }));
  });
  afterAll(async () => {
    redis.disconnect();
    await server?.stop();
  });

  const limiterOf = (keyPrefix?: string): RateLimiter =>
    createRateLimiter({
      clock: systemClock,
      windowSeconds: 60,
      redis,
      ...(keyPrefix !== undefined && { keyPrefix }),
      patienceMs: 5000,
      onStoreFailure: (error) => expect.unreachable(String(error)),
    });

  test("share their counts, and with another prefix they do not", async () => {
    const bucket = "account a";
    expect(await limiterOf().consume(bucket, 10)).toMatchObject({ remaining: 9 });
    expect(await limiterOf().consume(bucket, 10)).toMatchObject({ remaining: 8 });
    expect(await limiterOf("auth").consume(bucket, 10)).toMatchObject({ remaining: 9, isStoreAway: false });
    expect(await redis.keys("*")).toEqual(expect.arrayContaining([`limit:${bucket}`, `auth:${bucket}`]));
  });
});
