import type { OperationHandler } from "../src/operations/operation.ts";
import { operationTable } from "../src/operations/index.ts";
import { createTypeId } from "@gateway/kernel";
import { describe, expect, test } from "vitest";
import type { Ask } from "./support/http-client.ts";
import { limitHeadersOf } from "./support/limit-headers.ts";
import { useGateway } from "./support/use-gateway.ts";

const crash: OperationHandler<"getAccount"> = async () => {
  throw new Error("a fault of ours");
};

const requests: [status: number, request: Ask][] = [
  [200, { target: "/api/v1/wallets" }],
  [201, { method: "POST", target: "/api/v1/wallets", body: { name: "W", currency: "EUR" } }],
  [400, { target: "/api/v1/wallets?limit=0" }],
  [400, { method: "POST", target: "/api/v1/wallets", headers: { "Content-Type": "application/json" }, body: "{" }],
  [403, { target: "/api/v1/api-keys" }],
  [404, { target: "/api/v1/nothing" }],
  [404, { target: `/api/v1/wallets/${createTypeId("wal")}` }],
  [405, { method: "PUT", target: "/api/v1/wallets", body: {} }],
  [413, { method: "POST", target: "/api/v1/wallets", body: { name: "x".repeat(300_000) } }],
  [415, { method: "POST", target: "/api/v1/wallets", headers: { "Content-Type": "text/plain" }, body: "name" }],
  [500, { target: "/api/v1/account" }],
];

describe("the three headers", () => {
  const gateway = useGateway({
    operationTable: { ...operationTable, getAccount: crash },
    rateLimitWindowSeconds: 3_600,
  });

  test("count down by one with every answer of whatever status, and the reset stands still", async () => {
    const account = await gateway.createAccount({ tier: "enterprise", requestsPerMinute: 300 });
    const { secret: key } = await gateway.createKey(account, "write");
    const resets = new Set<number>();
    for (const [index, [status, request]] of requests.entries()) {
      const answer = await gateway.call({ ...request, key });
      const { resetSeconds, ...left } = limitHeadersOf(answer);
      expect({ status: answer.status, ...left }).toEqual({ status, limit: 300, remaining: 299 - index });
      resets.add(resetSeconds);
    }
    expect(resets.size).toBe(1);
  });

  test("a request over the limit is 429 whatever else is wrong with it", async () => {
    const { secret: key } = await gateway.createKey(await gateway.createAccount({ tier: "explorer" }), "write");
    await Promise.all(Array.from({ length: 10 }, () => gateway.call({ target: "/api/v1/wallets", key })));
    for (const [, request] of requests) {
      const answer = await gateway.call({ ...request, key });
      expect({ status: answer.status, ...limitHeadersOf(answer) }).toMatchObject({
        status: 429,
        limit: 10,
        remaining: 0,
      });
    }
  });
});
