import { createLogger, systemClock, type Clock } from "@gateway/kernel";
import { redisServer, type RedisServer } from "@gateway/testkit";
import type { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createRateLimiter, openRedis, type RateLimiter } from "../src/index.ts";

test("the reset stands still within a window, however long the count took", async () => {
  let asked = 0;
  const waveringClock: Clock = { now: () => Date.now() + (asked++ % 5) * 50 };
  const limiter = createRateLimiter({ clock: waveringClock, windowSeconds: 60, redis: null, onStoreFailure: () => {} });
  const states = await Promise.all(Array.from({ length: 50 }, () => limiter.consume("account a", 10)));
  expect(new Set(states.map((state) => state.resetsAtMs)).size).toBe(1);
});

const alone = () => createRateLimiter({ clock: systemClock, windowSeconds: 60, redis: null, onStoreFailure: () => {} });

test("what is given back can be had again, once for each, and a bucket that is forgotten begins anew", async () => {
  await expectGivenBack(alone());
});

test("who looks is not counted, and sees the window that runs", async () => {
  await expectLooked(alone());
});

test("who looks later sees that the window has become shorter", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const limiter = alone();
  const counted = await limiter.consume("looked", 2);
  vi.advanceTimersByTime(1_000);
  expect(await limiter.look("looked", 2)).toMatchObject({ resetsAtMs: counted.resetsAtMs, resetsInMs: 59_000 });
});

async function expectLooked(limiter: RateLimiter): Promise<void> {
  expect(await limiter.look("looked", 2)).toMatchObject({ remaining: 2, resetsInMs: 0, isAllowed: true });
  await limiter.consume("looked", 2);
  for (let times = 0; times < 3; times += 1) {
    expect(await limiter.look("looked", 2)).toMatchObject({ remaining: 1, isAllowed: true });
  }
  const counted = await limiter.consume("looked", 2);
  const looked = await limiter.look("looked", 2);
  expect(counted).toMatchObject({ remaining: 0, isAllowed: true });
  expect(looked.resetsInMs).toBeGreaterThan(0);
  expect(looked.resetsInMs).toBeLessThanOrEqual(counted.resetsInMs);
  await limiter.consume("looked", 2);
  expect(await limiter.look("looked", 2)).toMatchObject({ remaining: 0, isAllowed: false });
}

async function expectGivenBack(limiter: RateLimiter): Promise<void> {
  await limiter.giveBack("bucket");
  expect(await limiter.consume("bucket", 2)).toMatchObject({ remaining: 1 });
  expect(await limiter.consume("bucket", 2)).toMatchObject({ remaining: 0 });
  await limiter.giveBack("bucket");
  expect(await limiter.consume("bucket", 2)).toMatchObject({ remaining: 0, isAllowed: true });
  expect(await limiter.consume("bucket", 2)).toMatchObject({ isAllowed: false });
  await limiter.forget("bucket");
  expect(await limiter.consume("bucket", 2)).toMatchObject({ remaining: 1, isAllowed: true });
}

describe("the time of day is set back by an hour", () => {
  const windowMs = 60_000;
  const hourMs = 60 * 60_000;
  /** Affects the clock of libraries too, not only ours. */
  const setBackAnHour = (): void => void vi.setSystemTime(Date.now() - hourMs);

  afterEach(() => void vi.useRealTimers());

  test("the reset is at most a window away, and the count goes on", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const limiter = createRateLimiter({ clock: systemClock, windowSeconds: 60, redis: null, onStoreFailure: () => {} });
    await limiter.consume("account a", 2);
    setBackAnHour();
    for (const [remaining, isAllowed] of [
      [0, true],
      [0, false],
    ]) {
      const state = await limiter.consume("account a", 2);
      expect(state).toMatchObject({ remaining, isAllowed });
      expect(state.resetsInMs).toBeLessThanOrEqual(windowMs);
      expect(state.resetsAtMs - Date.now()).toBeLessThanOrEqual(windowMs);
      expect(state.resetsAtMs - Date.now()).toBeGreaterThan(windowMs / 2);
    }
  });

  test("the window ends as if nothing had happened", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    const limiter = alone();
    await limiter.consume("account a", 1);
    setBackAnHour();
    vi.advanceTimersByTime(windowMs - 1);
    expect(await limiter.consume("account a", 1)).toMatchObject({ isAllowed: false });
    vi.advanceTimersByTime(1);
    expect(await limiter.consume("account a", 1)).toMatchObject({ isAllowed: true });
  });
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

  test("take back and forget, and a window that is over does not come back without an end", async () => {
    await expectGivenBack(limiterOf("back"));
    await limiterOf("back").giveBack("nobody");
    expect(await redis.exists("back:nobody")).toBe(0);
  });

  test("let look without counting, and without beginning a window", async () => {
    await expectLooked(limiterOf("look"));
    await limiterOf("look").look("nobody", 2);
    expect(await redis.exists("look:nobody")).toBe(0);
  });

  test("count what is asked in one turn one by one, each bucket for itself", async () => {
    const limiter = limiterOf("turn");
    const buckets = ["account a", "account b", "account a", "account a", "account c", "account b"];
    const states = await Promise.all(buckets.map((bucket) => limiter.consume(bucket, 3)));
    expect(states.map(({ remaining }) => remaining)).toEqual([2, 2, 1, 0, 2, 1]);
    expect(await limiter.consume("account a", 3)).toMatchObject({ remaining: 0, isAllowed: false });
  });

  test("end a window after a window when Redis believes that it lasts for an hour", async () => {
    const limiter = limiterOf("hour");
    await limiter.consume("account a", 2);
    // Looks to clients like a Redis whose clock was set back by an hour.
    await redis.pexpire("hour:account a", 60 * 60_000);
    for (const isAllowed of [true, false]) {
      const state = await limiter.consume("account a", 2);
      expect(state).toMatchObject({ remaining: 0, isAllowed });
      expect(state.resetsInMs).toBeLessThanOrEqual(60_000);
      expect(state.resetsAtMs - Date.now()).toBeLessThanOrEqual(60_000);
    }
    expect(await redis.pttl("hour:account a")).toBeLessThanOrEqual(60_000);
  });
});
