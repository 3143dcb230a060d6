import type { EventsByType, EventType } from "@gateway/contract";

/** What a delivery carries. `type` tells the types apart: in a branch where it is known, `data.object` is that type's. */
export type WebhookEvent = EventsByType[EventType];

export type { EventType };
