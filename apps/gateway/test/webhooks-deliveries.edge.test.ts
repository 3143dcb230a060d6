import { eventTypes, exampleEvent } from "@gateway/contract";
import { useEach } from "@gateway/testkit";
import { describe, expect, test } from "vitest";
import { invalid, refused } from "./support/answers.ts";
import { useGatewayAtNoon } from "./support/use-gateway.ts";
import { createWebhookClient, dispatchAll, type DeliveryBody, type WebhookBody } from "./support/webhook-client.ts";

const dayMs = 86_400_000;

const { gateway, clock } = useGatewayAtNoon();
const owner = useEach(() => createWebhookClient(gateway));

type Whole = DeliveryBody & { schedule: { number: number; plannedAt: string }[]; lastAttempt: object | null };

const dispatch = (outcome: "delivered" | "http_error"): Promise<string[]> => dispatchAll(gateway, { outcome });
const timeIn = (ms: number): string => new Date(clock.now() + ms).toISOString();
const now = (): string => timeIn(0);
const read = (id: string): Promise<Whole> => owner.get(`/deliveries/${id}`);
const resend = (id: string) => owner.call("POST", `/deliveries/${id}/resend`);
const set = (id: string, verb: "enable" | "disable") => owner.ask("POST", `/webhooks/${id}/${verb}`);
const countDeliveries = async (query: string): Promise<number> => (await owner.listDeliveries(query)).length;

/** A webhook with one pending delivery of wallet.created. */
async function createDelivery(): Promise<{ webhook: WebhookBody; delivery: DeliveryBody }> {
  const webhook = await owner.createWebhook();
  await owner.createWallet();
  const [delivery] = await owner.listDeliveries(`&webhookId=${webhook.id}`);
  return { webhook, delivery: delivery ?? expect.unreachable() };
}

async function failSixTimes(): Promise<void> {
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    await dispatch("http_error");
    await clock.advance(dayMs);
  }
}

describe("a delivery", () => {
  test("tells where it stands, with every attempt", async () => {
    const { webhook, delivery } = await createDelivery();
    expect(delivery).toMatchObject({
      ...{ webhookId: webhook.id, eventType: "wallet.created", status: "pending" },
      ...{ attemptCount: 0, nextAttemptAt: now(), deliveredAt: null },
    });
    await dispatch("http_error");
    const attempt = { number: 1, startedAt: timeIn(-5), durationMs: 5, outcome: "http_error", httpStatus: 500 };
    expect(await read(delivery.id)).toMatchObject({
      ...{ status: "pending", attemptCount: 1, nextAttemptAt: timeIn(60_000) },
      attempts: [{ ...attempt, responseStart: "said", manual: false }],
    });
    await clock.advance(61_000);
    await dispatch("delivered");
    const delivered = await read(delivery.id);
    expect(delivered).toMatchObject({ status: "delivered", attemptCount: 2, nextAttemptAt: null, deliveredAt: now() });
    expect(delivered.attempts?.map(({ number }) => number)).toEqual([1, 2]);
  });

  test("has planned when attempts begin, each after the one before has failed; nothing when it is done or held", async () => {
    const { webhook, delivery } = await createDelivery();
    const [first, ...later] = (await read(delivery.id)).schedule;
    expect(first).toEqual({ number: 1, plannedAt: now() });
    expect(later).toHaveLength(5);
    for (const planned of later) {
      await dispatch("http_error");
      const { schedule, nextAttemptAt } = await read(delivery.id);
      expect(schedule).toEqual(later.slice(later.indexOf(planned)));
      expect(nextAttemptAt).toBe(planned.plannedAt);
      if (planned.number === 3) {
        await set(webhook.id, "disable");
        expect((await read(delivery.id)).schedule).toEqual([]);
        await set(webhook.id, "enable");
      }
      await clock.advance(Date.parse(planned.plannedAt) - clock.now());
    }
    await dispatch("delivered");
    expect(await read(delivery.id)).toMatchObject({ status: "delivered", schedule: [] });
    await resend(delivery.id);
    expect((await read(delivery.id)).schedule.map(({ number }) => number)).toEqual([7, 8, 9, 10, 11, 12]);
    await dispatch("delivered");
  });

  test("leads back to its request, which leads to its events and their deliveries; an object has its history", async () => {
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
    expect(await read(delivery?.id ?? "")).toMatchObject({ requestId: meta.requestId });
    const other = await createWebhookClient(gateway);
    expect(await other.listEvents(`&requestId=${meta.requestId}`)).toEqual([]);
    expect(await other.listEvents(`&objectId=${data.id}`)).toEqual([]);
    expect(await other.listDeliveries(`&requestId=${meta.requestId}`)).toEqual([]);
    await dispatch("delivered");
  });
});

/**
 * list-filters.edge.test.ts of the platform covers combinations of filters. This test shows that each filter is passed
 * on.
 */
describe("filters", () => {
  test("of deliveries combine, held follows from the webhook, and a foreign id finds nothing", async () => {
    const { webhook: first, delivery } = await createDelivery();
    await dispatch("http_error");
    expect(await countDeliveries("&outcome=http_error&eventType=wallet.created")).toBe(1);
    await clock.advance(61_000);
    await dispatch("delivered");
    const second = await owner.createWebhook();
    await owner.createWallet();
    await set(second.id, "disable");
    expect(await owner.listDeliveries("&status=held")).toMatchObject([{ webhookId: second.id, nextAttemptAt: null }]);
    const at = (ms: number): string => new Date(Date.parse(delivery.createdAt) + ms).toISOString();
    const found: [query: string, count: number][] = [
      ["", 3],
      ["&status=delivered", 1],
      ["&status=pending", 1],
      ["&status=pending,held", 2],
      ["&status=failed,delivered", 1],
      ["&eventType=kyc.verified", 0],
      ["&outcome=http_error", 0],
      ["&outcome=delivered", 1],
      [`&since=${at(-1_000)}&until=${at(1_000)}`, 1],
      [`&since=${at(1_000)}`, 2],
      [`&until=${at(-1_000)}`, 0],
      [`&webhookId=${first.id}`, 2],
      [`&webhookId=${first.id}&status=delivered&eventId=${delivery.eventId}`, 1],
      [`&webhookId=${second.id}&eventId=${delivery.eventId}`, 0],
    ];
    for (const [query, count] of found) {
      expect(await countDeliveries(query), query).toBe(count);
    }
    await set(second.id, "enable");
    expect(await countDeliveries("&status=held")).toBe(0);
    const other = await createWebhookClient(gateway);
    expect(await other.listDeliveries(`&webhookId=${first.id}`)).toEqual([]);
    expect(await other.listDeliveries(`&eventId=${delivery.eventId}`)).toEqual([]);
    await dispatch("delivered");
  });

  test("of events by time have those that happened then: its beginning is in, its end is not", async () => {
    await owner.createWallet();
    const [event] = await owner.listEvents();
    const at = (ms: number): string => new Date(Date.parse(event?.created ?? "") + ms).toISOString();
    const count = async (query: string): Promise<number> => (await owner.listEvents(query)).length;
    const periods = [`&since=${at(0)}&until=${at(1)}`, `&since=${at(1)}`, `&until=${at(0)}`];
    expect(await Promise.all(periods.map(count))).toEqual([1, 0, 0]);
  });
});

describe("a resend", () => {
  test("of what waits makes it due now, with a new schedule, and answers it so", async () => {
    const { delivery } = await createDelivery();
    await dispatch("http_error");
    const due = { status: "pending", attemptCount: 1, nextAttemptAt: now() };
    expect(await resend(delivery.id)).toMatchObject({ status: 200, json: { data: due } });
    await dispatch("http_error");
    expect(await read(delivery.id)).toMatchObject({ attemptCount: 2, nextAttemptAt: timeIn(60_000) });
    await clock.advance(60_000);
    await dispatch("delivered");
  });

  test("is refused while the webhook is disabled or deleted: 409, and nothing changes", async () => {
    const { webhook, delivery } = await createDelivery();
    await dispatch("delivered");
    await set(webhook.id, "disable");
    const answer = await resend(delivery.id);
    expect(answer).toMatchObject(refused("WEBHOOK_NOT_ENABLED"));
    expect(answer.text).toContain("disabled");
    await owner.ask("DELETE", `/webhooks/${webhook.id}`);
    expect(await resend(delivery.id)).toMatchObject(refused("WEBHOOK_NOT_ENABLED"));
    expect(await read(delivery.id)).toMatchObject({ status: "delivered" });
  });
});

test("after the last retry the webhook is failed, new events are held, and enabling delivers them oldest first", async () => {
  const { webhook, delivery } = await createDelivery();
  await failSixTimes();
  expect(await owner.get(`/webhooks/${webhook.id}`)).toMatchObject({ status: "failed" });
  expect(await read(delivery.id)).toMatchObject({ status: "failed", attemptCount: 6, nextAttemptAt: null });
  expect((await owner.listDeliveries("&status=failed")).map(({ id }) => id)).toEqual([delivery.id]);
  for (const _ of [1, 2, 3]) {
    await owner.createWallet();
    await clock.advance(1000);
  }
  const held = await owner.listDeliveries("&status=held");
  expect(held).toHaveLength(3);
  expect(await dispatch("delivered")).toEqual([]);
  await set(webhook.id, "enable");
  expect(await dispatch("delivered")).toEqual(held.map(({ eventId }) => eventId).reverse());
});

describe("test events", () => {
  test.each(eventTypes)(
    "%s arrives at this webhook alone, as the document's example, with livemode false",
    async (type) => {
      const webhook = await owner.createWebhook(["kyc.verified"]);
      await owner.createWebhook([type]);
      const delivery = await owner.ask<DeliveryBody>("POST", `/webhooks/${webhook.id}/test`, { type });
      const due = { status: "pending", attemptCount: 0, nextAttemptAt: now() };
      expect(delivery).toMatchObject({ webhookId: webhook.id, eventType: type, ...due });
      const { data } = exampleEvent(type);
      const event = { id: delivery.eventId, type, created: now(), data, livemode: false };
      expect(await owner.get(`/events/${delivery.eventId}`)).toEqual(event);
      expect(await countDeliveries("")).toBe(1);
      expect(await dispatch("delivered")).toEqual([delivery.eventId]);
    },
  );

  test("are refused for a webhook that is not enabled, and nothing is stored; so is a replay", async () => {
    const webhook = await owner.createWebhook();
    await set(webhook.id, "disable");
    const send = (verb: string, body: object) => owner.call("POST", `/webhooks/${webhook.id}/${verb}`, body);
    expect(await send("test", { type: "wallet.created" })).toMatchObject(refused("WEBHOOK_NOT_ENABLED"));
    expect(await send("replay", { since: now() })).toMatchObject(refused("WEBHOOK_NOT_ENABLED"));
    expect(await owner.listEvents()).toEqual([]);
  });
});

describe("a replay", () => {
  const ask = (id: string, body: object) => owner.call("POST", `/webhooks/${id}/replay`, body);
  const replay = (id: string, body: object) => owner.ask<object>("POST", `/webhooks/${id}/replay`, body);

  test("sends what was delivered, what failed and what was never meant for it, oldest first, once", async () => {
    await owner.createWallet("before the webhook");
    await clock.advance(60_000);
    const since = now();
    await owner.createWallet("never meant for it");
    const webhook = await owner.createWebhook();
    await owner.createWallet("delivered");
    await dispatch("delivered");
    await owner.ask("POST", `/webhooks/${webhook.id}/test`, { type: "wallet.created" });
    await dispatch("delivered");
    await owner.createWallet("pending");
    await clock.advance(3_600_000);
    const wanted = (await owner.listEvents())
      .filter(({ data }) => /never|delivered/.test(JSON.stringify(data)))
      .map(({ id }) => id)
      .reverse();
    expect(wanted).toHaveLength(2);
    expect(await replay(webhook.id, { since })).toMatchObject({ dryRun: false, count: 2, nextCursor: null });
    expect(await replay(webhook.id, { since }), "while they are pending").toMatchObject({ count: 0 });
    expect((await dispatch("delivered")).slice(1)).toEqual(wanted);
    expect(await replay(webhook.id, { since })).toMatchObject({ count: 3 });
    expect(await dispatch("delivered")).toHaveLength(3);
    expect(await countDeliveries(`&webhookId=${webhook.id}`), "one delivery an event, and the test's").toBe(4);
  });

  test("begins within the past 30 days: else 400 on since", async () => {
    const webhook = await owner.createWebhook();
    const wrong = invalid(["since", "must lie in the past 30 days"]);
    expect(await ask(webhook.id, { since: timeIn(1000) })).toMatchObject(wrong);
    expect(await ask(webhook.id, { since: timeIn(-30 * dayMs - 1) })).toMatchObject(wrong);
    expect(await replay(webhook.id, { since: timeIn(-30 * dayMs) })).toMatchObject({ count: 0 });
  });
});
