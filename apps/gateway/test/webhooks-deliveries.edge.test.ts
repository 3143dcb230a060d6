import { createDatabaseTestClock, createTestDatabase, type DatabaseTestClock } from "@gateway/testkit";
import { eventTypes, exampleEvent } from "@gateway/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";
import {
  createWebhookClient,
  dispatchAll,
  type DeliveryBody,
  type WebhookBody,
  type WebhookClient,
} from "./support/webhook-client.ts";

const dayMs = 86_400_000;

describe("deliveries", () => {
  let gateway: TestGateway;
  let clock: DatabaseTestClock;
  let owner: WebhookClient;

  beforeAll(async () => {
    const { url: databaseUrl } = await createTestDatabase();
    clock = await createDatabaseTestClock(databaseUrl, Date.now());
    gateway = await startTestGateway({ clock, databaseUrl });
  });
  beforeEach(async () => {
    owner = await createWebhookClient(gateway);
  });
  afterAll(() => gateway.stop());

  const dispatch = (outcome: "delivered" | "http_error"): Promise<string[]> => dispatchAll(gateway, { outcome });
  const now = (): string => new Date(clock.now()).toISOString();

  /** A webhook with one wallet.created on its way to it. */
  async function createDelivery(): Promise<{ webhook: WebhookBody; delivery: DeliveryBody }> {
    const webhook = await owner.createWebhook();
    await owner.createWallet();
    const [delivery] = await owner.listDeliveries(`&webhookId=${webhook.id}`);
    if (!delivery) {
      throw new Error("The wallet made no delivery.");
    }
    return { webhook, delivery };
  }

  test("a delivery tells where it stands, with every attempt", async () => {
    const { webhook, delivery } = await createDelivery();
    expect(delivery).toMatchObject({
      webhookId: webhook.id,
      eventType: "wallet.created",
      status: "pending",
      attemptCount: 0,
      nextAttemptAt: now(),
      deliveredAt: null,
    });
    await dispatch("http_error");
    expect(await owner.ask(200, "GET", `/deliveries/${delivery.id}`)).toMatchObject({
      status: "pending",
      attemptCount: 1,
      nextAttemptAt: new Date(clock.now() + 60_000).toISOString(),
      attempts: [
        {
          number: 1,
          startedAt: new Date(clock.now() - 5).toISOString(),
          durationMs: 5,
          outcome: "http_error",
          httpStatus: 500,
          responseStart: "said",
          manual: false,
        },
      ],
    });
    await clock.advance(61_000);
    await dispatch("delivered");
    const deliveredAt = new Date(clock.now()).toISOString();
    const delivered = await owner.ask<DeliveryBody>(200, "GET", `/deliveries/${delivery.id}`);
    expect(delivered).toMatchObject({ status: "delivered", attemptCount: 2, nextAttemptAt: null, deliveredAt });
    expect(delivered.attempts?.map(({ number }) => number)).toEqual([1, 2]);
  });

  test("the last attempt stands in lists in every state, as the delivery has it", async () => {
    type Attempted = DeliveryBody & { lastAttempt: object | null };
    const { webhook, delivery } = await createDelivery();
    const shown = async (status: string, lastAttempt: object | null): Promise<void> => {
      expect(await owner.listDeliveries(`&webhookId=${webhook.id}`)).toMatchObject([{ status, lastAttempt }]);
      const one = await owner.ask<Attempted>(200, "GET", `/deliveries/${delivery.id}`);
      expect([one.status, one.lastAttempt]).toEqual([status, lastAttempt]);
      expect(one.attempts?.at(-1) ?? null).toEqual(lastAttempt && expect.objectContaining(lastAttempt));
    };
    const refused = { outcome: "http_error", httpStatus: 500 };
    const taken = { outcome: "delivered", httpStatus: 200 };
    await shown("pending", null);
    await dispatch("http_error");
    await shown("pending", refused);
    await clock.advance(61_000);
    await dispatch("delivered");
    await shown("delivered", taken);
    await owner.ask(200, "POST", `/deliveries/${delivery.id}/resend`);
    await shown("pending", taken);
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      await dispatch("http_error");
      await clock.advance(dayMs);
    }
    await shown("failed", refused);
    await owner.ask(200, "POST", `/webhooks/${webhook.id}/enable`);
    await owner.ask(200, "POST", `/deliveries/${delivery.id}/resend`);
    await owner.ask(200, "POST", `/webhooks/${webhook.id}/disable`);
    await shown("held", refused);
    await owner.ask(200, "POST", `/webhooks/${webhook.id}/enable`);
    await dispatch("delivered");
  });

  test("what is planned is when attempts begin, each after the one before has failed; nothing when it is done or held", async () => {
    type Planned = DeliveryBody & { schedule: { number: number; plannedAt: string }[] };
    const { webhook, delivery } = await createDelivery();
    const read = () => owner.ask<Planned>(200, "GET", `/deliveries/${delivery.id}`);
    const [first, ...later] = (await read()).schedule;
    expect(first).toEqual({ number: 1, plannedAt: now() });
    expect(later).toHaveLength(5);
    for (const planned of later) {
      await dispatch("http_error");
      const { schedule, nextAttemptAt } = await read();
      expect(schedule).toEqual(later.slice(later.indexOf(planned)));
      expect(nextAttemptAt).toBe(planned.plannedAt);
      if (planned.number === 3) {
        await owner.ask(200, "POST", `/webhooks/${webhook.id}/disable`);
        expect((await read()).schedule).toEqual([]);
        await owner.ask(200, "POST", `/webhooks/${webhook.id}/enable`);
      }
      await clock.advance(Date.parse(planned.plannedAt) - clock.now());
    }
    await dispatch("delivered");
    expect(await read()).toMatchObject({ status: "delivered", schedule: [] });
    await owner.ask(200, "POST", `/deliveries/${delivery.id}/resend`);
    expect((await read()).schedule.map(({ number }) => number)).toEqual([7, 8, 9, 10, 11, 12]);
    await dispatch("delivered");
  });

  test("a resend of what waits makes it due now, with a new schedule, and answers it so", async () => {
    const { delivery } = await createDelivery();
    await dispatch("http_error");
    expect(await owner.ask(200, "POST", `/deliveries/${delivery.id}/resend`)).toMatchObject({
      status: "pending",
      attemptCount: 1,
      nextAttemptAt: now(),
    });
    await dispatch("http_error");
    expect(await owner.ask(200, "GET", `/deliveries/${delivery.id}`)).toMatchObject({
      attemptCount: 2,
      nextAttemptAt: new Date(clock.now() + 60_000).toISOString(),
    });
    await clock.advance(60_000);
    await dispatch("delivered");
  });

  test("filters combine, held follows from the webhook, and a foreign id finds nothing", async () => {
    const { webhook: first, delivery } = await createDelivery();
    await dispatch("delivered");
    const second = await owner.createWebhook();
    await owner.createWallet();
    const count = async (query: string): Promise<number> => (await owner.listDeliveries(query)).length;
    expect(await count("")).toBe(3);
    expect(await count("&status=delivered")).toBe(1);
    expect(await count("&status=pending")).toBe(2);
    await owner.ask(200, "POST", `/webhooks/${second.id}/disable`);
    expect(await count("&status=pending")).toBe(1);
    expect(await owner.listDeliveries("&status=held")).toMatchObject([
      { webhookId: second.id, status: "held", nextAttemptAt: null },
    ]);
    expect(await count(`&webhookId=${first.id}`)).toBe(2);
    expect(await count(`&webhookId=${first.id}&status=delivered&eventId=${delivery.eventId}`)).toBe(1);
    expect(await count(`&webhookId=${second.id}&eventId=${delivery.eventId}`)).toBe(0);
    await owner.ask(200, "POST", `/webhooks/${second.id}/enable`);
    expect(await count("&status=held")).toBe(0);
    const other = await createWebhookClient(gateway);
    expect(await other.listDeliveries(`&webhookId=${first.id}`)).toEqual([]);
    expect(await other.listDeliveries(`&eventId=${delivery.eventId}`)).toEqual([]);
    await dispatch("delivered");
  });

  test("a page goes on where it ended, newest first, and its cursor is of its filters alone", async () => {
    const webhook = await owner.createWebhook();
    for (let index = 0; index < 5; index += 1) {
      await owner.createWallet();
    }
    const all = (await owner.listDeliveries()).map(({ id }) => id);
    expect(all).toEqual(all.toSorted().reverse());
    const page = await owner.call("GET", `/deliveries?limit=2&webhookId=${webhook.id}`);
    const { nextCursor } = (page.json as { meta: { nextCursor: string } }).meta;
    const rest = await owner.listDeliveries(`&webhookId=${webhook.id}&cursor=${nextCursor}`);
    expect(rest.map(({ id }) => id)).toEqual(all.slice(2));
    expect(await owner.call("GET", `/deliveries?cursor=${nextCursor}`)).toMatchObject({
      status: 400,
      json: { error: { details: [{ field: "cursor" }] } },
    });
    await dispatch("delivered");
  });

  test("a request leads to its events and their deliveries, and a delivery back to its request; an object has its history", async () => {
    await owner.createWebhook();
    const created = await owner.call("POST", "/wallets", { name: "Payroll", currency: "EUR" });
    await owner.createWallet();
    const { data, meta } = created.json as { data: { id: string }; meta: { requestId: string } };
    const events = await owner.listEvents(`&requestId=${meta.requestId}`);
    expect(events).toMatchObject([{ type: "wallet.created", data: { object: { id: data.id } } }]);
    expect(await owner.listEvents(`&objectId=${data.id}`)).toEqual(events);
    expect(await owner.listEvents(`&objectId=${data.id}&type=payment.settled`)).toEqual([]);
    const [delivery, ...others] = await owner.listDeliveries(`&requestId=${meta.requestId}`);
    expect(others).toEqual([]);
    expect(delivery).toMatchObject({ eventId: events[0]?.id });
    expect(await owner.ask(200, "GET", `/deliveries/${delivery?.id}`)).toMatchObject({ requestId: meta.requestId });
    const other = await createWebhookClient(gateway);
    expect(await other.listEvents(`&requestId=${meta.requestId}`)).toEqual([]);
    expect(await other.listEvents(`&objectId=${data.id}`)).toEqual([]);
    expect(await other.listDeliveries(`&requestId=${meta.requestId}`)).toEqual([]);
    await dispatch("delivered");
  });

  test("the health of a webhook: its attempts by the hour, the last failure, and what is held", async () => {
    const { webhook, delivery } = await createDelivery();
    await dispatch("http_error");
    const failedAt = now();
    await clock.advance(61_000);
    await dispatch("delivered");
    await owner.createWallet();
    await owner.ask(200, "POST", `/webhooks/${webhook.id}/disable`);
    type Health = { perHour: { startsAt: string; attempts: number }[]; since: string };
    const health = await owner.ask<Health>(200, "GET", `/webhooks/${webhook.id}/health`);
    expect(health).toMatchObject({
      ...{ attempts: 2, delivered: 1, failed: 1, p95Ms: 6, failedInARow: 0, held: 1, nextAttemptAt: null },
      lastFailure: { deliveryId: delivery.id, failedAt, outcome: "http_error", httpStatus: 500 },
    });
    expect(health.perHour).toHaveLength(24);
    expect(health.perHour[0]?.startsAt).toBe(health.since);
    expect(health.perHour.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(2);
    const other = await createWebhookClient(gateway);
    expect((await other.call("GET", `/webhooks/${webhook.id}/health`)).status).toBe(404);
    await owner.ask(200, "POST", `/webhooks/${webhook.id}/enable`);
    await dispatch("delivered");
  });

  test("several states, the type of the event, how the last attempt ended, and a time", async () => {
    const { delivery } = await createDelivery();
    const count = async (query: string): Promise<number> => (await owner.listDeliveries(query)).length;
    const recorded = Date.parse(delivery.createdAt);
    const at = (ms: number): string => new Date(recorded + ms).toISOString();
    expect(await count("&status=pending,held")).toBe(1);
    expect(await count("&status=failed,delivered")).toBe(0);
    expect(await count("&eventType=wallet.created&status=pending")).toBe(1);
    expect(await count("&eventType=kyc.verified")).toBe(0);
    expect(await count("&outcome=http_error")).toBe(0);
    await dispatch("http_error");
    expect(await count("&outcome=http_error&eventType=wallet.created")).toBe(1);
    await clock.advance(61_000);
    await dispatch("delivered");
    expect(await count("&outcome=http_error")).toBe(0);
    expect(await count("&outcome=delivered")).toBe(1);
    expect(await count(`&since=${at(-1_000)}&until=${at(1_000)}`)).toBe(1);
    expect(await count(`&since=${at(1_000)}`)).toBe(0);
    expect(await count(`&until=${at(-1_000)}`)).toBe(0);
  });

  test("events of a time are those that happened then: its beginning is in, its end is not", async () => {
    await owner.createWallet();
    const [event] = await owner.listEvents();
    const at = (ms: number): string => new Date(Date.parse(event?.created ?? "") + ms).toISOString();
    const count = async (query: string): Promise<number> => (await owner.listEvents(query)).length;
    expect(await count(`&since=${at(0)}&until=${at(1)}`)).toBe(1);
    expect(await count(`&since=${at(1)}`)).toBe(0);
    expect(await count(`&until=${at(0)}`)).toBe(0);
    expect((await owner.call("GET", "/events?since=yesterday")).status).toBe(400);
  });

  test.each([
    ...[
      "status=done",
      "status=failed,",
      "status=failed,lost",
      "outcome=lost",
      "eventType=lost",
      "since=1",
      "requestId=1",
    ],
    ...["webhookId=whk_1", "eventId=1", "type=wallet.created"],
  ])("400 for the filter %s", async (query) => {
    expect((await owner.call("GET", `/deliveries?${query}`)).status).toBe(400);
  });

  test("404 with the same bytes for a delivery of another account as for one that never was", async () => {
    const { delivery } = await createDelivery();
    const other = await createWebhookClient(gateway);
    for (const [method, suffix] of [
      ["GET", ""],
      ["POST", "/resend"],
    ] as const) {
      const texts = await Promise.all(
        [delivery.id, "dlv_01kk96r47yfe8vn4k17dtwp5pr"].map(async (id) => {
          const answer = await other.call(method, `/deliveries/${id}${suffix}`);
          expect(answer.status).toBe(404);
          return answer.text.replace(/req_\w+/, "");
        }),
      );
      expect(texts[0]).toBe(texts[1]);
    }
    await dispatch("delivered");
  });

  describe("resend", () => {
    test("sends a delivered one again at once, with a new schedule and a manual attempt, and forgets nothing", async () => {
      const { delivery } = await createDelivery();
      await dispatch("delivered");
      const deliveredAt = new Date(clock.now()).toISOString();
      await clock.advance(dayMs);
      const resent = await owner.ask(200, "POST", `/deliveries/${delivery.id}/resend`);
      expect(resent).toMatchObject({ status: "pending", attemptCount: 1, nextAttemptAt: now(), deliveredAt });
      expect(await dispatch("http_error")).toEqual([delivery.eventId]);
      const after = await owner.ask<DeliveryBody>(200, "GET", `/deliveries/${delivery.id}`);
      expect(after).toMatchObject({
        status: "pending",
        deliveredAt,
        nextAttemptAt: new Date(clock.now() + 60_000).toISOString(),
      });
      expect(after.attempts).toMatchObject([{ manual: false }, { number: 2, manual: true }]);
      await clock.advance(dayMs);
      await dispatch("delivered");
    });

    test("is refused while the webhook is disabled or deleted: 409, and nothing changes", async () => {
      const { webhook, delivery } = await createDelivery();
      await dispatch("delivered");
      await owner.ask(200, "POST", `/webhooks/${webhook.id}/disable`);
      const refusal = {
        status: 409,
        json: { error: { code: "WEBHOOK_NOT_ENABLED", message: expect.stringContaining("disabled") } },
      };
      expect(await owner.call("POST", `/deliveries/${delivery.id}/resend`)).toMatchObject(refusal);
      await owner.ask(200, "DELETE", `/webhooks/${webhook.id}`);
      expect(await owner.call("POST", `/deliveries/${delivery.id}/resend`)).toMatchObject({
        status: 409,
        json: { error: { code: "WEBHOOK_NOT_ENABLED" } },
      });
      expect(await owner.ask(200, "GET", `/deliveries/${delivery.id}`)).toMatchObject({ status: "delivered" });
    });
  });

  test("a deleted webhook's history stays, and what waited for it is gone at once", async () => {
    const { webhook, delivery } = await createDelivery();
    await dispatch("delivered");
    await owner.createWallet();
    await owner.ask(200, "DELETE", `/webhooks/${webhook.id}`);
    expect(await owner.listDeliveries()).toMatchObject([{ id: delivery.id, status: "delivered" }]);
    expect(await dispatch("delivered")).toEqual([]);
  });

  test("after the last retry the webhook is failed, new events are held, and enabling delivers them oldest first", async () => {
    const { webhook, delivery } = await createDelivery();
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      await dispatch("http_error");
      await clock.advance(dayMs);
    }
    expect(await owner.ask(200, "GET", `/webhooks/${webhook.id}`)).toMatchObject({ status: "failed" });
    expect(await owner.ask(200, "GET", `/deliveries/${delivery.id}`)).toMatchObject({
      status: "failed",
      attemptCount: 6,
      nextAttemptAt: null,
    });
    expect((await owner.listDeliveries("&status=failed")).map(({ id }) => id)).toEqual([delivery.id]);
    for (const _ of [1, 2, 3]) {
      await owner.createWallet();
      await clock.advance(1000);
    }
    const held = await owner.listDeliveries("&status=held");
    expect(held).toHaveLength(3);
    expect(await dispatch("delivered")).toEqual([]);
    await owner.ask(200, "POST", `/webhooks/${webhook.id}/enable`);
    expect(await dispatch("delivered")).toEqual(held.map(({ eventId }) => eventId).reverse());
  });

  describe("test events", () => {
    test.each(eventTypes)(
      "%s arrives at this webhook alone, as the document's example, with livemode false",
      async (type) => {
        const [webhook] = [await owner.createWebhook(["kyc.verified"]), await owner.createWebhook([type])];
        const delivery = await owner.ask<DeliveryBody>(201, "POST", `/webhooks/${webhook.id}/test`, { type });
        expect(delivery).toMatchObject({
          webhookId: webhook.id,
          eventType: type,
          status: "pending",
          attemptCount: 0,
          nextAttemptAt: now(),
        });
        const event = await owner.ask(200, "GET", `/events/${delivery.eventId}`);
        expect(event).toEqual({
          id: delivery.eventId,
          type,
          created: now(),
          data: exampleEvent(type).data,
          livemode: false,
        });
        expect(await owner.listDeliveries()).toHaveLength(1);
        expect(await dispatch("delivered")).toEqual([delivery.eventId]);
      },
    );

    test("are refused for a webhook that is not enabled, and nothing is stored", async () => {
      const webhook = await owner.createWebhook();
      await owner.ask(200, "POST", `/webhooks/${webhook.id}/disable`);
      const answer = await owner.call("POST", `/webhooks/${webhook.id}/test`, { type: "wallet.created" });
      expect(answer).toMatchObject({ status: 409, json: { error: { code: "WEBHOOK_NOT_ENABLED" } } });
      expect(await owner.listEvents()).toEqual([]);
    });
  });

  describe("replay", () => {
    const replay = (id: string, since: string) => owner.ask(200, "POST", `/webhooks/${id}/replay`, { since });

    test("sends what was delivered, what failed and what was never meant for it, oldest first, once", async () => {
      await owner.createWallet("before the webhook");
      await clock.advance(60_000);
      const since = now();
      await owner.createWallet("never meant for it");
      const webhook = await owner.createWebhook();
      await owner.createWallet("delivered");
      await dispatch("delivered");
      await owner.ask(201, "POST", `/webhooks/${webhook.id}/test`, { type: "wallet.created" });
      await dispatch("delivered");
      await owner.createWallet("pending");
      await clock.advance(3_600_000);
      const wanted = (await owner.listEvents())
        .filter(({ data }) => /never|delivered/.test(JSON.stringify(data)))
        .map(({ id }) => id)
        .reverse();
      expect(wanted).toHaveLength(2);
      expect(await replay(webhook.id, since)).toMatchObject({ dryRun: false, count: 2, nextCursor: null });
      expect(await replay(webhook.id, since), "while they are pending, nothing is sent twice").toMatchObject({
        count: 0,
      });
      const sent = await dispatch("delivered");
      expect(sent.slice(1)).toEqual(wanted);
      expect(await replay(webhook.id, since)).toMatchObject({ count: 3 });
      expect(await dispatch("delivered")).toHaveLength(3);
      expect(
        await owner.listDeliveries(`&webhookId=${webhook.id}`),
        "one delivery an event, and the test's",
      ).toHaveLength(4);
    });

    test("chooses by time, type and what became of it, and a dry run says how many without sending any", async () => {
      const webhook = await owner.createWebhook();
      await owner.createWallet("delivered before");
      await dispatch("delivered");
      await clock.advance(1000);
      const since = now();
      await owner.createWallet("delivered");
      await dispatch("delivered");
      await clock.advance(1000);
      const ask = (body: object) => owner.ask<object>(200, "POST", `/webhooks/${webhook.id}/replay`, body);
      const body = { since, until: now(), types: ["wallet.created"], statuses: ["delivered"] };
      expect(await ask({ ...body, statuses: ["failed", "missing"] })).toMatchObject({ count: 0 });
      expect(await ask({ ...body, dryRun: true })).toEqual({ dryRun: true, count: 1, nextCursor: null });
      expect(await dispatch("delivered")).toEqual([]);
      expect(await ask(body)).toEqual({ dryRun: false, count: 1, nextCursor: null });
      expect(await dispatch("delivered")).toHaveLength(1);
      const wrong = await owner.call("POST", `/webhooks/${webhook.id}/replay`, { since, types: ["kyc.verified"] });
      expect(wrong).toMatchObject({ status: 400, json: { error: { details: [{ field: "types" }] } } });
    });

    test("takes only the types that the webhook asks for, and only this account's", async () => {
      const other = await createWebhookClient(gateway);
      const since = now();
      await other.createWallet();
      await owner.createWallet();
      const [deaf, hearing] = [
        await owner.createWebhook(["kyc.verified"]),
        await owner.createWebhook(["kyc.verified", "wallet.created"]),
      ];
      expect(await replay(deaf.id, since)).toMatchObject({ count: 0 });
      expect(await replay(hearing.id, since)).toMatchObject({ count: 1 });
      await dispatch("delivered");
    });

    test("begins within the past 30 days: else 400 on since", async () => {
      const webhook = await owner.createWebhook();
      for (const sinceMs of [clock.now() + 1000, clock.now() - 30 * dayMs - 1]) {
        const answer = await owner.call("POST", `/webhooks/${webhook.id}/replay`, {
          since: new Date(sinceMs).toISOString(),
        });
        expect(answer).toMatchObject({
          status: 400,
          json: { error: { details: [{ field: "since", issue: "must lie in the past 30 days" }] } },
        });
      }
      expect(await replay(webhook.id, new Date(clock.now() - 30 * dayMs).toISOString())).toMatchObject({ count: 0 });
    });

    test("is refused for a webhook that is not enabled", async () => {
      const webhook = await owner.createWebhook();
      await owner.ask(200, "POST", `/webhooks/${webhook.id}/disable`);
      expect((await owner.call("POST", `/webhooks/${webhook.id}/replay`, { since: now() })).status).toBe(409);
    });
  });
});
