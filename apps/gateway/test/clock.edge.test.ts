import { readMetric, shiftMachineClock } from "@gateway/testkit";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";
import { createWebhookClient, type WebhookClient } from "./support/webhook-client.ts";

/** A gateway knows Postgres' time to half a round trip, which may be long on a busy machine. */
const roundTripMs = 60_000;
const hourMs = 3_600_000;

async function databaseTimeMs({ database }: TestGateway): Promise<number> {
  const query = database.kysely.selectNoFrom(({ fn }) => fn<Date>("gateway_now", []).as("now"));
  return (await query.executeTakeFirstOrThrow()).now.getTime();
}

/** The first 48 bits of a UUID of version 7, in the first ten characters of a TypeID. */
function timeOfId(id: string): number {
  const characters = Array.from(id.slice(id.indexOf("_") + 1, id.indexOf("_") + 11));
  return characters.reduce((time, character) => time * 32 + "0123456789abcdefghjkmnpqrstvwxyz".indexOf(character), 0);
}

describe.each([
  ["ahead of Postgres'", 600_000],
  ["behind Postgres'", -600_000],
])("a gateway whose machine's clock is ten minutes %s", (_name, aheadMs) => {
  let gateway: TestGateway;
  let owner: WebhookClient;
  let setRight: () => void;

  beforeAll(async () => {
    setRight = shiftMachineClock(aheadMs);
    gateway = await startTestGateway();
    owner = await createWebhookClient(gateway);
  });
  afterAll(async () => {
    await gateway.stop();
    setRight();
  });

  const differenceSeconds = async (): Promise<number> =>
    (await readMetric(gateway.metricsPort, "gateway_clock_difference_seconds")).get("") ?? Number.NaN;

  test("writes Postgres' time, ids hold it too, and a first attempt is due at once", async () => {
    const beforeMs = await databaseTimeMs(gateway);
    const webhook = await owner.createWebhook();
    const wallet = await owner.createWallet();
    const [event] = await owner.listEvents();
    const [delivery] = await owner.listDeliveries();
    const afterMs = await databaseTimeMs(gateway);

    const ids = [webhook.id, wallet.id, event?.id ?? "", delivery?.id ?? ""];
    const times = [webhook.createdAt, event?.created, delivery?.createdAt, delivery?.nextAttemptAt];
    for (const timeMs of [...ids.map(timeOfId), ...times.map((time) => Date.parse(time ?? ""))]) {
      expect(timeMs).toBeGreaterThan(beforeMs - roundTripMs);
      expect(timeMs).toBeLessThan(afterMs + roundTripMs);
    }
  });

  test("tells the difference once in its log, and as a metric", async () => {
    expect(Math.abs((await differenceSeconds()) * 1_000 - aheadMs)).toBeLessThan(roundTripMs);
    expect(gateway.logLines.filter((line) => line.includes("differenceMs"))).toEqual([
      expect.stringContaining('"level":"warn"'),
    ]);
  });

  test("goes on in Postgres' time when the machine's clock is set", async () => {
    onTestFinished(shiftMachineClock(hourMs));
    const beforeMs = await databaseTimeMs(gateway);
    const { createdAt } = await owner.createWebhook();

    expect(Math.abs(Date.parse(createdAt) - beforeMs)).toBeLessThan(roundTripMs);
    expect(Math.abs((await differenceSeconds()) * 1_000 - aheadMs - hourMs)).toBeLessThan(roundTripMs);
  });
});
