import type { PublishedEvents, PublishedEventType, PublishedSchemas } from "@gateway/contract/published";

/** The body of a delivery. `type` discriminates: in a branch where it is known, `data.object` has that type. */
export type WebhookEvent = PublishedEvents[PublishedEventType] | UnknownEvent;

/** An event of a type that is newer than this client; in a `switch` over `type`, the case after all known ones. */
export interface UnknownEvent extends Omit<PublishedSchemas["Event"], "type"> {
  type: UnknownEventType;
}

/**
 * Any string. Its suffix is for the compiler alone. With this mark, a comparison with a known type leaves the unknown
 * event out, where `string` would keep it with its object.
 */
type UnknownEventType = `${string} (newer than this client)`;

export type { PublishedEventType as EventType };
