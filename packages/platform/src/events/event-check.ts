import { eventSchemas, type EventType, type OpenApiDocument } from "@gateway/contract";
import addFormats from "ajv-formats";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/**
 * Throws when the event does not fit the document's schema of its type. The message names places and rules, no values.
 */
export type EventCheck = (type: EventType, event: object) => void;

/** Compiles the schemas of all events at once, so that a mistake in the document stops the start, not a payment. */
export function createEventCheck(document: OpenApiDocument): EventCheck {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addFormats.default(ajv, { mode: "full" });
  ajv.addSchema(document, "document");
  const checks = new Map<EventType, ValidateFunction>();
  for (const [type, schema] of Object.entries(eventSchemas)) {
    // The keys of `eventSchemas` are the event types.
    checks.set(type as EventType, ajv.compile({ $ref: `document#/components/schemas/${schema}` }));
  }
  return (type, event) => {
    const check = checks.get(type);
    if (!check) {
      throw new Error(`The document has no event of the type ${type}.`);
    }
    if (!check(event)) {
      throw new Error(
        `An event does not fit ${eventSchemas[type]}: ${ajv.errorsText(check.errors, { dataVar: "event" })}`,
      );
    }
  };
}
