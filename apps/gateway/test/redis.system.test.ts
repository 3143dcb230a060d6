import { createTestDatabase, readMetric, redisServer, type RedisServer } from "@gateway/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countStatuses, limitHeadersOf } from "./support/limit-headers.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

const wallets = "/api/v1/wallets";
const redis = await redisServer();

describe.runIf(redis)("two gateways that share limits through Redis", () => {
  let gateways: [TestGateway, TestGateway];

  beforeAll(async () => {
    const { url: databaseUrl } = await createTestDatabase();
    const env = { REDIS_URL: (redis as RedisServer).url };
    // Counts are exact while the store responds in time. The time that it may take is not tested here.
    const options = { databaseUrl, env, limitStorePatienceMs: 60_000, rateLimitWindowSeconds: 3_600 };
    gateways = [await startTestGateway(options), await startTestGateway(options)];
  });
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await redis?.stop();
  });

  const callBoth = (count: number, key?: string) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        (gateways[index % 2] as TestGateway).call({ target: wallets, ...(key !== undefined && { key }) }),
      ),
    );

  test("of 200 requests at once at both, exactly the limit passes, each with a remaining of its own", async () => {
    const { secret } = await gateways[0].createKey(await gateways[0].createAccount({ tier: "explorer" }), "read");
    const answers = await callBoth(200, secret);
    expect(countStatuses(answers)).toEqual({ 200: 10, 429: 190 });
    const remaining = answers.filter(({ status }) => status === 200).map((answer) => limitHeadersOf(answer).remaining);
    expect(remaining.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test("an Enterprise account's 300 are 300 at both together", async () => {
    const account = await gateways[0].createAccount({ tier: "enterprise", requestsPerMinute: null });
    const { secret } = await gateways[0].createKey(account, "read");
    expect(countStatuses(await callBoth(340, secret))).toEqual({ 200: 300, 429: 40 });
  });

  test("guesses of keys from one address are counted over both", async () => {
    expect(countStatuses(await callBoth(20))).toEqual({ 401: 10, 429: 10 });
  });

  test("nothing was counted by one process alone", async () => {
    for (const { metricsPort } of gateways) {
      expect((await readMetric(metricsPort, "gateway_rate_limit_store_failures_total")).get("")).toBe(0);
    }
  });
});
