import type { EventType, Schemas } from "@gateway/contract";
import type { Actor } from "../audit/index.ts";
import type { WebhooksTable } from "./tables.ts";

export type Webhook = {
  id: string;
  url: string;
  events: EventType[];
  description: string | null;
  status: WebhooksTable["status"];
  statusChangedAt: Date;
  /** Until when the secret before this one signs too; it may lie in the past. */
  previousSecretEndsAt: Date | null;
  createdAt: Date;
  createdBy: Actor | null;
};

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
