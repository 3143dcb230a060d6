import type { EventType, Schemas } from "@gateway/contract";
import type { NounOf } from "@gateway/engine/noun";
import type { Selectable } from "kysely";
import type { WebhooksTable } from "./tables.ts";

type Row = Selectable<WebhooksTable>;

export type Webhook = Omit<NounOf<Row>, "secret" | "previousSecret"> & { events: EventType[]; statusChangedAt: Date };

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
