import type { eventSchemas } from "./generated/events.ts";
import type { Schemas } from "./schemas.ts";

/** What happened: `wallet.created`. */
export type EventType = Schemas["EventType"];

/** The events by type, as they are delivered: `EventsByType["wallet.created"]`. */
export type EventsByType = { [Type in EventType]: Schemas[(typeof eventSchemas)[Type]] };

/** What the events of each type carry as `data.object`: `EventPayloads["wallet.created"]` is a wallet. */
export type EventPayloads = { [Type in EventType]: EventsByType[Type]["data"]["object"] };

/** What happened, and to what: an event that is not recorded yet. */
export type EventValue<Type extends EventType = EventType> = {
  [Each in Type]: { type: Each; object: EventPayloads[Each] };
}[Type];
