import { randomUUID } from "node:crypto";
import { createTypeIds, systemClock } from "@gateway/kernel";
import { createDeliveryQueue, type AttemptOutcome } from "@gateway/platform/events";
import { createApiClient, type ApiClient } from "./api-client.ts";
import type { TestGateway } from "./test-gateway.ts";

export type WebhookBody = {
  id: string;
  url: string;
  events: string[];
  description: string | null;
  status: string;
  statusChangedAt: string;
  secretOverlapEndsAt: string | null;
  createdAt: string;
  secret: string;
};

export type DeliveryBody = {
  id: string;
  webhookId: string;
  eventId: string;
  eventType: string;
  status: string;
  attemptCount: number;
  nextAttemptAt: string | null;
  deliveredAt: string | null;
  createdAt: string;
  attempts?: { number: number; outcome: string; manual: boolean }[];
};

export type EventBody = { id: string; type: string; created: string; data: { object: unknown }; livemode: boolean };

/** One account with a key, and the calls that tests of webhooks make for it. */
export type WebhookClient = ApiClient & {
  createWebhook(events?: string[]): Promise<WebhookBody>;
  createWallet(name?: string): Promise<{ id: string }>;
  listDeliveries(query?: string): Promise<DeliveryBody[]>;
  listEvents(query?: string): Promise<EventBody[]>;
};

export async function createWebhookClient(gateway: TestGateway): Promise<WebhookClient> {
  const api = await createApiClient(gateway, "write");
  const { ask, get } = api;
  return {
    ...api,
    createWebhook: (events = ["wallet.created"]) =>
      ask("POST", "/webhooks", { url: "https://hooks.example.com/in", events }),
    createWallet: (name = "Payroll") => ask("POST", "/wallets", { name, currency: "EUR" }),
    listDeliveries: (query = "") => get(`/deliveries?limit=100${query}`),
    listEvents: (query = "") => get(`/events?limit=100${query}`),
  };
}

/**
 * Does a dispatcher's part for everything due in the gateway's database. Returns the events that it sent, in their
 * order.
 */
export async function dispatchAll(gateway: TestGateway, { outcome }: { outcome: AttemptOutcome }): Promise<string[]> {
  const queue = createDeliveryQueue(gateway.database.kysely, {
    retryTimeScale: 1,
    random: () => 0,
    createId: createTypeIds(systemClock),
    monotonicNow: () => 0,
  });
  const dispatcherId = randomUUID();
  await queue.enter(dispatcherId);
  const ended = { outcome, httpStatus: outcome === "delivered" ? 200 : 500, responseStart: "said", durationMs: 5 };
  const sent: string[] = [];
  await queue.sweep();
  const limits = { room: 100, unprovenRoom: 100, perAccount: 100, heldByAccount: new Map() };
  const { turns } = await queue.claim({ dispatcherId, notified: [], ...limits });
  for (;;) {
    const deliveries = await queue.read(turns.map((turn) => ({ turn, room: 100, after: null })));
    if (deliveries.length === 0) {
      break;
    }
    sent.push(...deliveries.map(({ eventId }) => eventId));
    await queue.record(
      dispatcherId,
      deliveries.map((delivery) => ({ delivery, endedAt: 0, ...ended })),
    );
  }
  await queue.release(dispatcherId, turns);
  await queue.leave(dispatcherId);
  return sent;
}
