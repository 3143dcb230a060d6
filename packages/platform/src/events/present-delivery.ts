import type { Schemas } from "@gateway/contract";
import type { Delivery } from "./delivery-view.ts";

export function presentDelivery(delivery: Delivery): Schemas["Delivery"] {
  return {
    id: delivery.id,
    webhookId: delivery.webhookId,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    status: delivery.status,
    attemptCount: delivery.attemptCount,
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    deliveredAt: delivery.deliveredAt?.toISOString() ?? null,
    lastAttempt: delivery.lastAttempt,
    createdAt: delivery.createdAt.toISOString(),
  };
}
