import { createTestClock, readMetric, type TestClock } from "@gateway/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";
import { createWebhookClient, type WebhookClient } from "./support/webhook-client.ts";

const weekMs = 7 * 86_400_000;

let gateway: TestGateway;
let clock: TestClock;
let owner: WebhookClient;

beforeAll(async () => {
  clock = createTestClock(Date.now());
  gateway = await startTestGateway({ clock });
  owner = await createWebhookClient(gateway);
});
afterAll(() => gateway.stop());

const aheadMs = async (): Promise<number> =>
  ((await readMetric(gateway.metricsPort, "gateway_partitions_ahead_seconds")).get("") ?? 0) * 1000;

test("an event without a partition is a 503, and nothing is stored; it is told once, and a metric tells before", async () => {
  expect(await aheadMs()).toBeGreaterThan(weekMs);
  clock.advance(3 * weekMs);
  expect(await aheadMs()).toBeLessThan(0);
  for (let count = 0; count < 5; count += 1) {
    const answer = await owner.call("POST", "/wallets", { name: "x", currency: "EUR" });
    expect(answer).toMatchObject({ status: 503, json: { error: { code: "UNAVAILABLE" } } });
  }
  expect(await owner.ask(200, "GET", "/wallets")).toEqual([]);
  const told = gateway.logLines.filter((line) => line.includes("has no partition for the present"));
  expect(told).toHaveLength(1);
  expect(JSON.parse(told[0] ?? "")).toMatchObject({ level: "error" });

  await gateway.platform.events.retention.createPartitions();
  await owner.createWallet();
  expect(await owner.listEvents()).toHaveLength(1);
});
