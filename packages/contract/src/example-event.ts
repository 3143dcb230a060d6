import type { EventType, EventsByType } from "./event.ts";
import { eventSchemas } from "./generated/events.ts";
import document from "./generated/openapi.json" with { type: "json" };

/** The document's example of an event, a fresh copy: what a test event carries. */
export function exampleEvent<Type extends EventType>(type: Type): EventsByType[Type] {
  // An event's example has the name of its schema, and the linter has held it against that schema.
  return structuredClone(document.components.examples[eventSchemas[type]].value) as unknown as EventsByType[Type];
}
