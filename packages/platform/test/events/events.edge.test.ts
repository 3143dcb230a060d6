import { waitFor, useAll } from "@gateway/testkit";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { createPartitions } from "../../src/compose/create-partitions.ts";
import { maxEventBodyBytes, type EventRecord } from "../../src/events/index.ts";
import { createEventStore, createWebhook } from "./event-store.ts";

const dayMs = 86_400_000;

describe("the store of events", () => {
  const store = useAll(createEventStore, (made) => made.database.close());

  const record = (object: object = {}) =>
    store.platform.inAccount(store.accountId, ({ events }) =>
      // The rules of this test accept every object.
      events.record({ accountId: store.accountId, type: "wallet.created", object } as EventRecord<"wallet.created">),
    );
  const count = async (
    table: "events" | "deliveries" | "pending_deliveries" | "delivery_attempts" | "webhooks",
  ): Promise<number> =>
    (
      await store.database.kysely
        .selectFrom(table)
        .select((is) => is.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow()
    ).count;
  const finish = (status: "delivered" | "failed") =>
    sql`
      with finished as (delete from pending_deliveries returning *)
      insert into deliveries
        (account_id, id, webhook_id, event_id, created_at, status, attempt_count, schedule_position, finished_at)
      select account_id, id, webhook_id, event_id, created_at, ${status}, 1, 1, gateway_now() from finished
    `.execute(store.database.kysely);

  test("an event outside of a transaction is refused: it could be stored without its cause", async () => {
    const outside = store.platform.events.record({
      accountId: store.accountId,
      type: "wallet.created",
      object: {} as never,
    });
    await expect(outside).rejects.toThrow("outside a transaction");
    expect(await count("events")).toBe(0);
  });

  test("a body of 1 MB is refused with all that its transaction did, one byte less is stored", async () => {
    const sizeOf = async (text: string): Promise<number> => {
      const event = await record({ text });
      return Buffer.byteLength(JSON.stringify(event));
    };
    const emptySize = await sizeOf("");
    expect(await sizeOf("é".repeat((maxEventBodyBytes - emptySize - 2) / 2))).toBeLessThan(maxEventBodyBytes);
    const before = await count("events");
    await expect(record({ text: "x".repeat(maxEventBodyBytes - emptySize) })).rejects.toThrow(
      "bodies stay under 1000000",
    );
    expect(await count("events")).toBe(before);
  });

  test("the document's objection stops the event and its cause", async () => {
    const strict = await createEventStore({
      checkEvent: () => {
        throw new Error("does not fit");
      },
    });
    const work = strict.platform.inAccount(strict.accountId, async ({ ledger, events }) => {
      await ledger.wallets.create({ accountId: strict.accountId, name: "x", currency: "EUR", metadata: {} });
      await events.record({ accountId: strict.accountId, type: "wallet.created", object: {} as never });
    });
    await expect(work).rejects.toThrow("does not fit");
    const page = await strict.platform.ledger.wallets.list({ accountId: strict.accountId, limit: 1 });
    expect(page.items).toEqual([]);
    await strict.database.close();
  });

  test("one event reaches 40 webhooks with 40 ids that sort, and says so to the dispatchers at the commit", async () => {
    const heard: string[] = [];
    let ready = (): void => {};
    const isReady = new Promise<void>((resolve) => (ready = resolve));
    const listener = store.database.listen("deliveries_due", {
      onNotification: (text) => heard.push(text),
      onReady: () => ready(),
    });
    await isReady;
    await record();
    const webhooks = [];
    for (let index = 0; index < 40; index += 1) {
      webhooks.push(await createWebhook(store));
    }
    await store.database.ping();
    expect(heard, "nobody asked for the event before").toEqual([]);
    const event = await record();
    const page = await store.platform.events.deliveries.list({
      accountId: store.accountId,
      eventId: event.id,
      limit: 100,
    });
    expect(page.items.map(({ webhookId }) => webhookId)).toEqual(webhooks.toReversed());
    expect(new Set(page.items.map(({ id }) => id)).size).toBe(40);
    await waitFor(() => heard.length >= webhooks.length);
    expect(heard.toSorted()).toEqual(webhooks.toSorted());
    await listener.close();
  });

  test("a delivery that ended before outcomes were kept is listed, without its last attempt", async () => {
    const webhookId = await createWebhook(store);
    await record();
    await finish("delivered");
    const { deliveries } = store.platform.events;
    const { items } = await deliveries.list({ accountId: store.accountId, webhookId, limit: 1 });
    expect(items).toMatchObject([{ status: "delivered", lastAttempt: null }]);
  });

  test("events are not seen after 30 days and go with deliveries and attempts, and deleted webhooks once they are empty", async () => {
    store.clock.advance(dayMs);
    const [kept, deleted] = [await createWebhook(store), await createWebhook(store)];
    await record();
    const attempt = {
      number: 1,
      started_at: new Date(),
      duration_ms: 1,
      outcome: "delivered",
      http_status: 200,
      response_start: null,
      is_manual: false,
    };
    const { items } = await store.platform.events.deliveries.list({
      accountId: store.accountId,
      webhookId: kept,
      limit: 1,
    });
    await store.database.kysely
      .insertInto("delivery_attempts")
      .values({ delivery_id: items[0]?.id ?? "", ...attempt })
      .execute();
    await finish("delivered");
    await store.platform.events.webhooks.delete({ id: deleted, accountId: store.accountId });
    const { deliveries, retention, webhooks } = store.platform.events;
    const shown = async () => [
      (await store.platform.events.list({ accountId: store.accountId, limit: 100 })).items.length,
      (await deliveries.list({ accountId: store.accountId, webhookId: kept, limit: 100 })).items.length,
    ];
    const [eventCount, pending] = [await count("events"), await count("pending_deliveries")];
    store.clock.advance(29 * dayMs);
    expect(await shown(), "those of the last 30 days").toEqual([eventCount, 1]);
    await retention.dropExpired();
    expect(await retention.deleteEmptyWebhooks(100), "its history is not over").toBe(0);
    store.clock.advance(dayMs);
    expect(await shown(), "the youngest event").toEqual([1, 1]);
    store.clock.advance(dayMs);
    expect(await shown()).toEqual([0, 0]);
    expect(await deliveries.get({ id: items[0]?.id ?? "", accountId: store.accountId })).toBeNull();
    expect(pending).toBe(0);
    // A week that is wholly past is dropped with all its rows.
    store.clock.advance(15 * dayMs);
    await retention.dropExpired();
    expect(await Promise.all([count("events"), count("deliveries"), count("delivery_attempts")])).toEqual([0, 0, 0]);
    expect(await retention.deleteEmptyWebhooks(100)).toBe(1);
    expect(await webhooks.get({ id: kept, accountId: store.accountId })).not.toBeNull();
  });

  test("what waited for a deleted webhook goes, but for an attempt that is under way", async () => {
    // Makes partitions of all tables, because weeks have passed above.
    await createPartitions(store.database.kysely, { nowMs: store.clock.now() });
    const webhookId = await createWebhook(store);
    const own = { id: webhookId, accountId: store.accountId };
    await store.platform.inAccount(store.accountId, ({ events }) =>
      events.record({ accountId: store.accountId, type: "wallet.created", object: {} as never }),
    );
    await record();
    const setHolder = (holder: string | null) =>
      store.database.kysely.updateTable("webhook_queues").set({ holder }).where("webhook_id", "=", webhookId).execute();
    await setHolder("one");
    const { retention: eventRetention } = store.platform.events;
    expect(await eventRetention.deleteDroppedDeliveries(100), "the webhook is there").toBe(0);
    await store.platform.events.webhooks.delete(own);
    expect(await eventRetention.deleteDroppedDeliveries(100)).toBe(0);
    await setHolder(null);
    expect(await eventRetention.deleteDroppedDeliveries(100)).toBe(2);
    expect(await eventRetention.deleteEmptyWebhooks(100), "a transaction may still write to it").toBe(0);
    store.clock.advance(3_600_000);
    expect(await eventRetention.deleteEmptyWebhooks(100)).toBe(1);
  });
});
