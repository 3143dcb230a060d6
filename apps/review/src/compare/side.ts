import { isObject, type Json, type JsonObject } from "./json.ts";
import { createPrinter } from "./print.ts";
import { viewSchema, type SchemaView } from "./view-schema.ts";

/** One of the two documents. What is used in many places is looked at once. */
export type Side = {
  document: JsonObject;
  view(schema: Json | undefined): SchemaView;
  /** The same text for what says the same, whatever its components are called. */
  print(value: Json | undefined): string;
};

export function createSide(document: JsonObject): Side {
  return {
    document,
    view: remember((schema) => viewSchema(document, schema)),
    print: createPrinter(document),
  };
}

/** Keeps the result for an object, and for all references to one component. */
function remember<Result>(look: (value: Json | undefined) => Result): (value: Json | undefined) => Result {
  const byReference = new Map<string, Result>();
  const byObject = new WeakMap<JsonObject, Result>();
  return (value) => {
    if (!isObject(value)) {
      return look(value);
    }
    const reference = loneReference(value);
    const result = byObject.get(value) ?? (reference === null ? undefined : byReference.get(reference)) ?? look(value);
    byObject.set(value, result);
    if (reference !== null) {
      byReference.set(reference, result);
    }
    return result;
  };
}

function loneReference(value: JsonObject): string | null {
  return typeof value["$ref"] === "string" && Object.keys(value).length === 1 ? value["$ref"] : null;
}
