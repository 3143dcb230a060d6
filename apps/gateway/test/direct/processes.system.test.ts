import { services } from "@gateway/contract";
import { redisServer, type RedisServer } from "@gateway/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGatewayProcess, type GatewayProcess } from "../support/gateway-process.ts";
import { ask, type Answer } from "../support/http-client.ts";
import { countStatuses, limitHeadersOf } from "../support/limit-headers.ts";
import { allOperations } from "../support/document-request.ts";
import { startTestGateway, type TestGateway } from "../support/test-gateway.ts";

const wallets = "/api/v1/wallets";
const redis = await redisServer();

/** As in production: each service in a process of its own, beside one that has everything. */
describe.runIf(redis)("nine processes that share a database and Redis", () => {
  let gateway: TestGateway;
  let processes: { service: string | null; process: GatewayProcess }[];

  beforeAll(async () => {
    gateway = await startTestGateway();
    const { databaseUrl } = gateway;
    const REDIS_URL = (redis as RedisServer).url;
    processes = [];
    for (const service of [null, ...services]) {
      const env = { REDIS_URL, ...(service !== null && { SERVICES: service }) };
      processes.push({ service, process: await startGatewayProcess({ databaseUrl, env }) });
    }
  });
  afterAll(async () => {
    await Promise.all(processes.map(({ process }) => process.program.destroy()));
    await gateway.stop();
    await redis?.stop();
  });

  const portOf = (service: string | null): number =>
    processes.find((one) => one.service === service)?.process.port ?? 0;
  const listOf = (service: string | null): string =>
    allOperations.find((one) => one.service === service && one.method === "get" && !one.path.includes("{"))?.path ??
    wallets;

  test("each has its own paths and no others", async () => {
    const { secret } = await gateway.createKey(await gateway.createAccount(), "read");
    for (const { service, process } of processes) {
      const statusOf = async (target: string): Promise<number> =>
        (await ask(process.port, { target, headers: { "X-API-Key": secret } })).status;
      const isThere = service === null || allOperations.some((one) => one.service === service);
      expect(await statusOf(listOf(service)), String(service)).toBe(isThere ? 200 : 404);
      expect(await statusOf("/api/v1/account")).toBe(service === null ? 200 : 404);
      expect(await statusOf(wallets)).toBe(service === null || service === "ledger" ? 200 : 404);
    }
  });

  // Of a store that is slow a process counts alone, and so it is on a busy machine: few at once, and once more.
  test(
    "of 540 requests, spread over all of them, an Enterprise account's 300 pass, each with a remaining of its own",
    { retry: 2 },
    async () => {
      const account = await gateway.createAccount({ tier: "enterprise", requestsPerMinute: null });
      const { secret } = await gateway.createKey(account, "read");
      const headers = { "X-API-Key": secret };
      const askOne = (index: number): Promise<Answer> => {
        const { service, process } = processes[index % processes.length] as (typeof processes)[number];
        return ask(process.port, { target: listOf(service), headers });
      };
      const answers: Answer[] = [];
      while (answers.length < 540) {
        const turn = Array.from({ length: 3 * processes.length }, (_, index) => askOne(index));
        answers.push(...(await Promise.all(turn)));
      }
      expect(countStatuses(answers)[429]).toBe(240);
      const remaining = answers.filter(({ status }) => status !== 429).map((one) => limitHeadersOf(one).remaining);
      expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, index) => index));
    },
  );

  test("of 9 requests at once with one idempotency key at two processes, one is done and the others get its answer", async () => {
    const { secret } = await gateway.createKey(await gateway.createAccount(), "write");
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, index) =>
        ask(portOf(index % 2 === 0 ? null : "ledger"), {
          method: "POST",
          target: wallets,
          headers: { "X-API-Key": secret, "Idempotency-Key": "one" },
          body: { name: "Payroll", currency: "EUR" },
        }),
      ),
    );
    expect(countStatuses(answers)).toEqual({ 201: 9 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers["idempotency-replayed"] === "true")).toHaveLength(8);
  });
});
