import { createTestClock, readMetric } from "@gateway/testkit";
import { beforeAll, expect, test } from "vitest";
import { refused } from "./support/answers.ts";
import { createWebhookClient, type WebhookClient } from "./support/webhook-client.ts";
import { useGateway } from "./support/use-gateway.ts";

const weekMs = 7 * 86_400_000;

let owner: WebhookClient;

const clock = createTestClock(Date.now());
const gateway = useGateway({ clock });
beforeAll(async () => {
  owner = await createWebhookClient(gateway);
});

const aheadMs = async (): Promise<number> =>
  ((await readMetric(gateway.metricsPort, "gateway_partitions_ahead_seconds")).get("") ?? 0) * 1000;

test("an event without a partition is a 503, and nothing is stored; it is told once, and a metric tells before", async () => {
  expect(await aheadMs()).toBeGreaterThan(weekMs);
  clock.advance(3 * weekMs);
  expect(await aheadMs()).toBeLessThan(0);
  for (let count = 0; count < 5; count += 1) {
    const answer = await owner.call("POST", "/wallets", { name: "x", currency: "EUR" });
    expect(answer).toMatchObject(refused("UNAVAILABLE"));
  }
  expect(await owner.ask("GET", "/wallets")).toEqual([]);
  const told = gateway.logLines.filter((line) => line.includes("has no partition for the current time"));
  expect(told).toHaveLength(1);
  expect(JSON.parse(told[0] ?? "")).toMatchObject({ level: "error" });

  await gateway.platform.events.retention.createPartitions();
  await owner.createWallet();
  expect(await owner.listEvents()).toHaveLength(1);
});
