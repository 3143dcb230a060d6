import type { OpenApiDocument } from "@gateway/contract";
import addFormats from "ajv-formats";
import { Ajv2020, type Options } from "ajv/dist/2020.js";
import { isDateTime } from "./date-time-format.ts";

/**
 * OpenAPI 3.1 schemas are JSON Schema 2020-12; unknown keywords are ignored. Each component is compiled at its first
 * use, under the pointer that the document's `$ref`s give. A mistake throws at its compilation.
 */
export function createAjv(document: OpenApiDocument, options: Options = {}): Ajv2020 {
  // Without `strictNumbers`, 1e999 is a number.
  const ajv = new Ajv2020({ strict: false, strictNumbers: true, validateSchema: false, logger: refusing, ...options });
  // "fast" accepts the 30th of February.
  addFormats.default(ajv, { mode: "full" });
  ajv.addFormat("date-time", { type: "string", validate: isDateTime });
  for (const [name, schema] of Object.entries(document.components["schemas"] ?? {})) {
    // The linter has validated the document against the OpenAPI schema.
    ajv.addSchema(schema as object, `#/components/schemas/${name}`);
  }
  return ajv;
}

/** A warning of ajv, such as one about an unknown format, is a mistake of the document as well. */
const refusing = {
  log: () => {},
  warn: (message: unknown) => {
    throw new Error(String(message));
  },
  error: () => {},
};
