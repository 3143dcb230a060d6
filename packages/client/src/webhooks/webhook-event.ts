import type { PublishedEvents, PublishedEventType, PublishedSchemas } from "@gateway/contract/published";

/**
 * What a delivery carries. `type` tells the types apart: in a branch where it is known, `data.object` is that type's.
 */
export type WebhookEvent = PublishedEvents[PublishedEventType] | UnknownEvent;

/** An event of a type that is newer than this client; in a `switch` over `type` what is left by all that are known. */
export interface UnknownEvent extends Omit<PublishedSchemas["Event"], "type"> {
  type: UnknownEventType;
}

/**
 * Any text. What it ends with is for the compiler alone: with this mark a comparison with a known type leaves the
 * unknown event out, where `string` would keep it, and its object with it.
 */
type UnknownEventType = `${string} (newer than this client)`;

export type { PublishedEventType as EventType };
