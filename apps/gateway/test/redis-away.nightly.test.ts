import { redisServer } from "@gateway/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { medianOf } from "./support/cpu-time.ts";
import type { Answer } from "./support/http-client.ts";
import { redisOutages, type RedisOutage } from "./support/redis-outage.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

const wallets = "/api/v1/wallets";
const hasRedis = await redisServer();
await hasRedis?.stop();

describe.runIf(hasRedis).each(redisOutages)("Redis %s", (_name, createOutage) => {
  let gateway: TestGateway;
  let outage: RedisOutage;

  afterEach(async () => {
    await gateway.stop();
    await outage.cleanUp();
  });

  test("reads take about as long as with it, many at once and one by one", async () => {
    outage = (await createOutage()) as RedisOutage;
    gateway = await startTestGateway({ env: { REDIS_URL: outage.url } });
    const { secret: key } = await gateway.createKey(await gateway.createAccount(), "read");
    // Warms up, so that the compilation of code is not measured.
    await Promise.all(Array.from({ length: 20 }, () => gateway.call({ target: wallets, key })));
    const usualMs = await timeRounds(gateway, key);
    await outage.begin();
    const awayMs = await timeRounds(gateway, key);
    console.log(JSON.stringify({ usualMs, awayMs }));
    expect(awayMs.atOnce).toBeLessThan(3 * usualMs.atOnce + 100);
    expect(awayMs.oneByOne).toBeLessThan(3 * usualMs.oneByOne + 100);
  });
});

/** Median ms of each: many at once, as at the moment of a failure, and one by one. */
async function timeRounds(gateway: TestGateway, key: string): Promise<{ atOnce: number; oneByOne: number }> {
  const timed = async (): Promise<{ answer: Answer; ms: number }> => {
    const startedAt = performance.now();
    return { answer: await gateway.call({ target: wallets, key }), ms: performance.now() - startedAt };
  };
  const atOnce = await Promise.all(Array.from({ length: 9 }, timed));
  const oneByOne = [];
  for (let index = 0; index < 9; index += 1) {
    oneByOne.push(await timed());
  }
  const judge = (round: typeof atOnce): number => {
    expect(round.map(({ answer }) => answer.status)).toEqual(Array(9).fill(200));
    return medianOf(round.map(({ ms }) => ms));
  };
  return { atOnce: judge(atOnce), oneByOne: judge(oneByOne) };
}
