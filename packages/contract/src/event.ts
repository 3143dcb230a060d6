import type { eventSchemas } from "./generated/events.ts";
import type { Schemas } from "./schemas.ts";

/** The type of an event, such as `wallet.created`. */
export type EventType = Schemas["EventType"];

/** The events by type, as they are delivered: `EventsByType["wallet.created"]`. */
export type EventsByType = { [Type in EventType]: Schemas[(typeof eventSchemas)[Type]] };

/** The `data.object` of each event type: `EventPayloads["wallet.created"]` is a wallet. */
export type EventPayloads = { [Type in EventType]: EventsByType[Type]["data"]["object"] };

/** The type and the object of an event that is not recorded yet. */
export type EventValue<Type extends EventType = EventType> = {
  [Each in Type]: { type: Each; object: EventPayloads[Each] };
}[Type];
