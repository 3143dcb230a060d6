import type { OpenAPI3 } from "openapi-typescript";
import { readEvents } from "./read-events.ts";

/** The event types and the names of their schemas as a TypeScript module, in the order of the description. */
export function renderEvents(description: OpenAPI3): string {
  const events = readEvents(description);
  return [
    'import type { components } from "./types.ts";\n\n',
    "export const eventTypes = [\n",
    ...events.map(({ type }) => `  ${JSON.stringify(type)},\n`),
    '] as const satisfies readonly components["schemas"]["EventType"][];\n\n',
    "export const eventSchemas = {\n",
    ...events.map(({ type, schema }) => `  ${JSON.stringify(type)}: ${JSON.stringify(schema)},\n`),
    '} as const satisfies Record<components["schemas"]["EventType"], keyof components["schemas"]>;\n',
  ].join("");
}
