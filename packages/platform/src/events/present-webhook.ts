import type { Schemas } from "@gateway/contract";
import type { Webhook } from "./webhook.ts";

/** An overlap that is over at `nowMs` is none: nothing happens at its end that could have written it. */
export function presentWebhook(webhook: Webhook, nowMs: number): Schemas["Webhook"] {
  const overlapEndsAt = webhook.previousSecretEndsAt;
  return {
    id: webhook.id,
    url: webhook.url,
    events: webhook.events,
    description: webhook.description,
    status: webhook.status,
    statusChangedAt: webhook.statusChangedAt.toISOString(),
    secretOverlapEndsAt: overlapEndsAt && overlapEndsAt.getTime() > nowMs ? overlapEndsAt.toISOString() : null,
    createdAt: webhook.createdAt.toISOString(),
    createdBy: webhook.createdBy,
  };
}
