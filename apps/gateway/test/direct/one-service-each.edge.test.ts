import { services } from "@gateway/contract";
import type { Permission, Tier } from "@gateway/platform/accounts";
import { createTestDatabase, redisServer, type RedisServer } from "@gateway/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, type Answer } from "../support/http-client.ts";
import { countStatuses, limitHeadersOf } from "../support/limit-headers.ts";
import { allOperations } from "../support/document-request.ts";
import { startTestGateway, type TestGateway } from "../support/test-gateway.ts";

const wallets = "/api/v1/wallets";
const redis = await redisServer();

/** Each service runs in a gateway of its own, and one more gateway has all of them, as in production. */
describe.runIf(redis)("gateways of one service each that share a database and Redis", () => {
  let gateways: { service: string | null; gateway: TestGateway }[];

  beforeAll(async () => {
    const { url: databaseUrl } = await createTestDatabase();
    const REDIS_URL = (redis as RedisServer).url;
    // Counts are exact while the store answers in time and no window ends; how soon it must is not what is tested here.
    const limits = { limitStorePatienceMs: 60_000, rateLimitWindowSeconds: 3_600 };
    gateways = [];
    for (const service of [null, ...services]) {
      const env = { REDIS_URL, ...(service !== null && { SERVICES: service }) };
      gateways.push({ service, gateway: await startTestGateway({ databaseUrl, env, ...limits }) });
    }
  });
  afterAll(async () => {
    await Promise.all(gateways.map(({ gateway }) => gateway.stop()));
    await redis?.stop();
  });

  const gatewayOf = (service: string | null): TestGateway =>
    gateways.find((one) => one.service === service)?.gateway ?? expect.unreachable();
  const createKey = async (permission: Permission, tier: Tier = "enterprise"): Promise<string> => {
    const gateway = gatewayOf(null);
    return (await gateway.createKey(await gateway.createAccount({ tier }), permission)).secret;
  };
  const listOf = (service: string | null): string =>
    allOperations.find((one) => one.service === service && one.method === "get" && !one.path.includes("{"))?.path ??
    wallets;

  test("each has its own paths and no others", async () => {
    const key = await createKey("read");
    for (const { service, gateway } of gateways) {
      const headers = { "X-API-Key": key };
      const statusOf = async (target: string): Promise<number> => (await ask(gateway.port, { target, headers })).status;
      const isThere = service === null || allOperations.some((one) => one.service === service);
      expect(await statusOf(listOf(service)), String(service)).toBe(isThere ? 200 : 404);
      expect(await statusOf("/api/v1/account")).toBe(service === null ? 200 : 404);
      expect(await statusOf(wallets)).toBe(service === null || service === "ledger" ? 200 : 404);
    }
  });

  test("of 40 requests, spread over all of them, an account's 30 pass, each with a remaining of its own", async () => {
    const key = await createKey("read", "starter");
    const askOne = (index: number): Promise<Answer> => {
      const { service, gateway } = gateways[index % gateways.length] ?? expect.unreachable();
      return gateway.call({ target: listOf(service), key });
    };
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => askOne(index)));
    expect(countStatuses(answers)[429]).toBe(10);
    const remaining = answers.filter(({ status }) => status !== 429).map((one) => limitHeadersOf(one).remaining);
    expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index));
  });

  test("of 9 requests at once with one idempotency key at two of them, one is done and the others get its answer", async () => {
    const key = await createKey("write");
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, index) =>
        gatewayOf(index % 2 === 0 ? null : "ledger").call({
          ...{ method: "POST", target: wallets, key },
          headers: { "Idempotency-Key": "one" },
          body: { name: "Payroll", currency: "EUR" },
        }),
      ),
    );
    expect(countStatuses(answers)).toEqual({ 201: 9 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers["idempotency-replayed"] === "true")).toHaveLength(8);
  });
});
