import type { EventsDeps } from "./event.ts";
import type { Kysely } from "kysely";
import { createDeliveries } from "./delivery.ts";
import { createEventRetention, type EventRetentionDeps } from "./event-retention.ts";
import { createEventStore, createRecorder, type EventRecord, type Event } from "./event.ts";
import type { EventsTables } from "./tables.ts";
import { createToldEvents } from "./told-event.ts";
import { createWebhooks } from "./webhook.ts";

export * from "./allowed-hosts-setting.ts";
export { maxConcurrency } from "./claim-queues.ts";
export type { Claim, ClaimRequest, EndedTurn, QueueTurn } from "./claim-queues.ts";
export * from "./delivery-queue.ts";
export * from "./delivery.ts";
export type { Delivery, DeliveryFilter, DeliveryStatus } from "./delivery-view.ts";
export { dispatcherLeaseMs } from "./dispatcher-lease.ts";
export * from "./egress.ts";
export type { EmitLimit, Event, EventRecord, Recorder } from "./event.ts";
export { maxEventBodyBytes } from "./event.ts";
export type { EventFilter } from "./list-events.ts";
export { createEventCheck } from "./event-check.ts";
export { datedEvents } from "./event-partitions.ts";
export type { EventRetention } from "./event-retention.ts";
export * from "./event-rules.ts";
export { describeFailingWebhook } from "./failing-webhook.ts";
export { moveDeliveries } from "./move-deliveries.ts";
export { planOf, type PlannedAttempt } from "./plan-attempts.ts";
export { presentDelivery } from "./present-delivery.ts";
export { presentWebhook, type Webhook } from "./present-webhook.ts";
export { presentWebhookHealth } from "./present-webhook-health.ts";
export type { DueDelivery, QueuePlace, ReadRequest } from "./read-due.ts";
export * from "./record-outcomes.ts";
export { mostReplayed, type ReplayStatus } from "./replay.ts";
export type { EventsTables } from "./tables.ts";
export type { ToldEvents } from "./told-event.ts";
export * from "./webhook.ts";
export { mostHeldCounted, type WebhookHealth } from "./webhook-health.ts";
export * from "./webhook-secret.ts";
export * from "./webhook-url.ts";

/** Events, and the webhooks that receive them. */
export type Events = ReturnType<typeof createEvents>;

export function createEvents(db: Kysely<EventsTables>, deps: EventsDeps & EventRetentionDeps) {
  const recorder = createRecorder(deps);
  return {
    ...createEventStore(db, deps),
    deliveries: createDeliveries(db, deps),
    retention: createEventRetention(db, deps),
    /** Events that upstreams report. */
    told: createToldEvents(db, deps),
    webhooks: createWebhooks(db, deps),
    /** Records one event as the recorder does, in the account's transaction that these services write in. */
    record: async ({ accountId, ...value }: EventRecord) => {
      const [event] = await recorder.record(deps.joinAccount(db, accountId), [value]);
      // The recorder returns one event for each value.
      return event as Event;
    },
    /** For a noun of another service, in its own transaction. */
    recorder,
  };
}
