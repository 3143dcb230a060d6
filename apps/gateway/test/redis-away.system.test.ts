import { findFreePort, readMetric, redisServer, type RedisServer, waitFor } from "@gateway/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { medianOf } from "./support/cpu-time.ts";
import type { Answer } from "./support/http-client.ts";
import { countStatuses, limitHeadersOf } from "./support/limit-headers.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

const wallets = "/api/v1/wallets";
const failures = "gateway_rate_limit_store_failures_total";

/** A Redis of one test that goes away in one of three ways, and comes back. */
type Outage = { url: string; begin(): Promise<void>; end(): Promise<void>; cleanUp(): Promise<void> };

async function killedRedis(): Promise<Outage | null> {
  let redis = await redisServer();
  if (!redis) {
    return null;
  }
  const { url } = redis;
  return {
    url,
    begin: async () => redis?.kill9(),
    end: async () => void (redis = await redisServer({ port: Number(new URL(url).port) })),
    cleanUp: async () => redis?.stop(),
  };
}

async function frozenRedis(): Promise<Outage | null> {
  const redis = await redisServer();
  return (
    redis && {
      url: redis.url,
      begin: async () => redis.pause(),
      end: async () => redis.resume(),
      cleanUp: () => redis.stop(),
    }
  );
}

async function redisThatStartsLater(): Promise<Outage | null> {
  const port = await findFreePort();
  let redis: RedisServer | null = null;
  return {
    url: `redis://127.0.0.1:${port}`,
    begin: async () => {},
    end: async () => void (redis = await redisServer({ port })),
    cleanUp: async () => redis?.stop(),
  };
}

const hasRedis = await redisServer();
await hasRedis?.stop();

describe.runIf(hasRedis).each([
  ["killed", killedRedis],
  ["frozen", frozenRedis],
  ["absent at the start", redisThatStartsLater],
])("Redis %s", (_name, createOutage) => {
  let gateway: TestGateway;
  let outage: Outage;

  afterEach(async () => {
    await gateway.stop();
    await outage.cleanUp();
  });

  test("reads go on with a local count, new keys wait, and all is well when it is back", async () => {
    outage = (await createOutage()) as Outage;
    gateway = await startTestGateway({ env: { REDIS_URL: outage.url } });
    const account = await gateway.createAccount();
    const { id, secret: key } = await gateway.createKey(account, "admin");
    const createKey = () =>
      gateway.call({ method: "POST", target: "/api/v1/api-keys", key, body: { name: "K", permission: "read" } });
    const rollKey = () =>
      gateway.call({ method: "POST", target: `/api/v1/api-keys/${id}/roll`, key, body: { overlapSeconds: 60 } });
    // What runs for the first time is compiled first, which is not what is timed.
    await Promise.all(Array.from({ length: 20 }, () => gateway.call({ target: wallets, key })));
    const usualMs = await timeRounds(gateway, key);
    await outage.begin();

    const awayMs = await timeRounds(gateway, key);
    expect(awayMs.atOnce).toBeLessThan(3 * usualMs.atOnce + 100);
    expect(awayMs.oneByOne).toBeLessThan(3 * usualMs.oneByOne + 100);
    for (const refused of [await createKey(), await rollKey()]) {
      expect(refused).toMatchObject({
        status: 503,
        headers: { "retry-after": "5" },
        json: { error: { code: "UNAVAILABLE" } },
      });
    }
    expect((await gateway.platform.accounts.apiKeys.list({ accountId: account.id, limit: 10 })).items).toHaveLength(1);
    await expectLocalCount(gateway);
    expect(await countFailures(gateway)).toBeGreaterThan(0);

    await outage.end();
    await waitFor(async () => (await createKey()).status === 201, { timeoutMs: 10_000 });
    expect((await rollKey()).status).toBe(201);
    const failuresAfter = await countFailures(gateway);
    expect((await gateway.call({ target: wallets, key })).status).toBe(200);
    expect(await countFailures(gateway)).toBe(failuresAfter);
  });
});

async function countFailures({ metricsPort }: TestGateway): Promise<number> {
  return (await readMetric(metricsPort, failures)).get("") ?? Number.NaN;
}

/** In ms, the middle of each: when many ask at once, as at the moment of a failure, and one by one. */
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

async function expectLocalCount(gateway: TestGateway): Promise<void> {
  const { secret: key } = await gateway.createKey(await gateway.createAccount({ tier: "explorer" }), "read");
  const answers = await Promise.all(Array.from({ length: 30 }, () => gateway.call({ target: wallets, key })));
  expect(countStatuses(answers)).toEqual({ 200: 10, 429: 20 });
  expect(limitHeadersOf(answers[0] as Answer).limit).toBe(10);
}
