import type { eventSchemas } from "./generated/events.ts";
import type { components } from "./generated/published-types.ts";

export type { operations as OperationTypes, paths as Paths } from "./generated/published-types.ts";

/**
 * The schemas of the published document by name. In what is read, an extensible list is its values and any other text.
 */
export type PublishedSchemas = components["schemas"];

/** The types of events that this document knows. */
export type PublishedEventType = PublishedSchemas["EventType"];

/** The events of these types, as receivers have them. */
export type PublishedEvents = { [Type in PublishedEventType]: PublishedSchemas[(typeof eventSchemas)[Type]] };
