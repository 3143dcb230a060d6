import type { EventPayloads, EventType } from "@gateway/contract";

export type { EventType } from "@gateway/contract";

/** What `data.object` of an event of this type is. */
export type EventPayload<Type extends EventType> = EventPayloads[Type];
