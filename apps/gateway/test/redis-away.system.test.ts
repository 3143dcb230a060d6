import { readMetric, redisServer, waitFor } from "@gateway/testkit";
import { afterEach, describe, expect, test } from "vitest";
import type { Answer } from "./support/http-client.ts";
import { countStatuses, limitHeadersOf } from "./support/limit-headers.ts";
import { redisOutages, type RedisOutage } from "./support/redis-outage.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

const wallets = "/api/v1/wallets";
const failures = "gateway_rate_limit_store_failures_total";

const hasRedis = await redisServer();
await hasRedis?.stop();

describe.runIf(hasRedis).each(redisOutages)("Redis %s", (_name, createOutage) => {
  let gateway: TestGateway;
  let outage: RedisOutage;

  afterEach(async () => {
    await gateway.stop();
    await outage.cleanUp();
  });

  test("reads go on with a local count, new keys wait, and all is well when it is back", async () => {
    outage = (await createOutage()) as RedisOutage;
    gateway = await startTestGateway({ env: { REDIS_URL: outage.url } });
    const account = await gateway.createAccount();
    const { id, secret: key } = await gateway.createKey(account, "admin");
    const createKey = () =>
      gateway.call({ method: "POST", target: "/api/v1/api-keys", key, body: { name: "K", permission: "read" } });
    const rollKey = () =>
      gateway.call({ method: "POST", target: `/api/v1/api-keys/${id}/roll`, key, body: { overlapSeconds: 60 } });
    const readTenTimes = () => Promise.all(Array.from({ length: 10 }, () => gateway.call({ target: wallets, key })));
    await readTenTimes();
    await outage.begin();

    expect(countStatuses(await readTenTimes())).toEqual({ 200: 10 });
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
    await waitFor(async () => (await createKey()).status === 201);
    await waitFor(async () => (await rollKey()).status === 201);
    // On a busy machine Redis may respond too late now and then, but not always.
    await waitFor(async () => {
      const failuresBefore = await countFailures(gateway);
      expect((await gateway.call({ target: wallets, key })).status).toBe(200);
      return (await countFailures(gateway)) === failuresBefore;
    });
  });
});

async function countFailures({ metricsPort }: TestGateway): Promise<number> {
  return (await readMetric(metricsPort, failures)).get("") ?? Number.NaN;
}

async function expectLocalCount(gateway: TestGateway): Promise<void> {
  const { secret: key } = await gateway.createKey(await gateway.createAccount({ tier: "explorer" }), "read");
  const answers = await Promise.all(Array.from({ length: 30 }, () => gateway.call({ target: wallets, key })));
  expect(countStatuses(answers)).toEqual({ 200: 10, 429: 20 });
  expect(limitHeadersOf(answers[0] as Answer).limit).toBe(10);
}
