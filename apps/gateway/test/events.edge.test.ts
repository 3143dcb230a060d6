import { Problem } from "@gateway/contract";
import { createTestClock, readMetric, useEach } from "@gateway/testkit";
import { describe, expect, test } from "vitest";
import { operationTable } from "../src/operations/index.ts";
import type { OperationTable } from "../src/operations/operation.ts";
import { refused } from "./support/answers.ts";
import { createWebhookClient } from "./support/webhook-client.ts";
import { useGateway } from "./support/use-gateway.ts";

describe("events", () => {
  const clock = createTestClock(Date.now());
  const gateway = useGateway({ clock, operationTable: withSaboteurs });
  const owner = useEach(() => createWebhookClient(gateway));

  test("a wallet's creation is an event that holds the wallet as it was answered, byte for byte what is delivered", async () => {
    const wallet = await owner.createWallet("Reise-Kasse 🧳");
    const [event] = await owner.listEvents();
    expect(event).toMatchObject({
      type: "wallet.created",
      created: new Date(clock.now()).toISOString(),
      data: { object: wallet },
      livemode: false,
    });
    expect(await owner.ask("GET", `/events/${event?.id}`)).toEqual(event);
    const { body } = await gateway.database.kysely
      .selectFrom("events")
      .select("body")
      .where("id", "=", event?.id ?? "")
      .executeTakeFirstOrThrow();
    expect(JSON.parse(body)).toEqual(event);
    expect(Object.keys(JSON.parse(body) as object)).toEqual(["id", "type", "created", "data", "livemode"]);
  });

  test("a creation that is rolled back leaves no event and no delivery", async () => {
    await owner.createWebhook();
    expect((await owner.call("POST", "/wallets", { name: "roll back", currency: "EUR" })).status).toBe(403);
    expect((await owner.call("POST", "/wallets", { name: "", currency: "EUR" })).status).toBe(400);
    expect(await owner.listEvents()).toEqual([]);
    expect(await owner.listDeliveries()).toEqual([]);
  });

  test.each(["does not fit", "unnamed event"])(
    "an event that %s the document is a 500, and nothing is stored",
    async (name) => {
      await owner.createWebhook();
      const answer = await owner.call("POST", "/wallets", { name, currency: "EUR" });
      expect(answer).toMatchObject(refused("INTERNAL_ERROR"));
      expect(answer.text).not.toMatch(/wallet|schema|event/i);
      expect(await owner.listEvents()).toEqual([]);
      expect(await owner.ask("GET", "/wallets")).toEqual([]);
    },
  );
});

/**
 * Creates wallets like the real operation, and then fails, or records an event that it must not, when the name asks for
 * it.
 */
const withSaboteurs: OperationTable = {
  ...operationTable,
  createWallet: async (call) => {
    const { name } = call.input.body;
    const { accountId } = call.principal;
    const answer = await operationTable.createWallet(call);
    if (name === "roll back") {
      throw new Problem("FORBIDDEN", "Rolled back on purpose.");
    }
    if (name === "does not fit") {
      await call.deps.events.record({
        accountId,
        type: "wallet.created",
        object: { ...answer.data, currency: "XXX" as "EUR" },
      });
    }
    if (name === "unnamed event") {
      await call.deps.events.record({ accountId, type: "wallet.balance_changed", object: {} as never });
    }
    return answer;
  },
};

describe("without a partition", () => {
  const weekMs = 7 * 86_400_000;

  const clock = createTestClock(Date.now());
  const gateway = useGateway({ clock });

  const aheadMs = async (): Promise<number> =>
    ((await readMetric(gateway.metricsPort, "gateway_partitions_ahead_seconds")).get("") ?? 0) * 1000;

  test("an event without a partition is a 503, and nothing is stored; it is told once, and a metric tells before", async () => {
    const owner = await createWebhookClient(gateway);
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
});
