import { shiftMachineClock } from "@gateway/testkit";
import { describe, expect, onTestFinished, test } from "vitest";
import { readMetric } from "./support/read-metric.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";
import { createWebhookClient } from "./support/webhook-client.ts";

async function databaseTimeMs({ database }: TestGateway): Promise<number> {
  const query = database.kysely.selectNoFrom(({ fn }) => fn<Date>("gateway_now", []).as("now"));
  return (await query.executeTakeFirstOrThrow()).now.getTime();
}

describe.each([
  ["ahead of Postgres'", 20_000],
  ["behind Postgres'", -20_000],
])("with its machine's clock 20 s %s", (_name, aheadMs) => {
  test("a gateway writes Postgres' time, and a first attempt is due at once", async () => {
    onTestFinished(shiftMachineClock(aheadMs));
    const gateway = await startTestGateway();
    onTestFinished(() => gateway.stop());
    const owner = await createWebhookClient(gateway);
    const beforeMs = await databaseTimeMs(gateway);
    const webhook = await owner.createWebhook();
    await owner.createWallet();
    const [event] = await owner.listEvents();
    const [delivery] = await owner.listDeliveries();
    const afterMs = await databaseTimeMs(gateway);

    const times = [webhook.createdAt, event?.created, delivery?.createdAt, delivery?.nextAttemptAt];
    for (const timeMs of times.map((time) => Date.parse(time ?? ""))) {
      // A gateway knows Postgres' time to half a round trip, which may be long on a busy machine.
      expect(timeMs).toBeGreaterThan(beforeMs - 1_000);
      expect(timeMs).toBeLessThan(afterMs + 1_000);
    }
  });

  test("the difference is told once in the log, and is a metric", async () => {
    onTestFinished(shiftMachineClock(aheadMs));
    const gateway = await startTestGateway();
    onTestFinished(() => gateway.stop());

    const difference = (await readMetric(gateway.metricsPort, "gateway_clock_difference_seconds")).get("");
    expect(Math.abs((difference ?? Number.NaN) - aheadMs / 1000)).toBeLessThan(1);
    expect(gateway.logLines.filter((line) => line.includes("differenceMs"))).toEqual([
      expect.stringContaining('"level":"warn"'),
    ]);
  });
});

test("a clock of the machine that is set while the gateway runs changes nothing", async () => {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway.stop());
  const owner = await createWebhookClient(gateway);
  const beforeMs = await databaseTimeMs(gateway);
  onTestFinished(shiftMachineClock(3_600_000));
  const { createdAt } = await owner.createWebhook();

  expect(Math.abs(Date.parse(createdAt) - beforeMs)).toBeLessThan(60_000);
  expect((await readMetric(gateway.metricsPort, "gateway_clock_difference_seconds")).get("")).toBeGreaterThan(3_599);
});
