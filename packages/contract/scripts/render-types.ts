import openapiTS, { astToString, NEVER, STRING, tsIntersection, tsRecord, type OpenAPI3 } from "openapi-typescript";

/** The types of a description. A parameter with a default stays optional for the caller; the server's own types know the defaults. */
export async function renderTypes(description: OpenAPI3): Promise<string> {
  const types = await openapiTS(structuredClone(description), {
    defaultNonNullable: false,
    transform: (schema) => (anyText in schema ? tsIntersection([STRING, tsRecord(NEVER, NEVER)]) : undefined),
  });
  return astToString(types);
}

/** Marks a schema of any text, whose type does not swallow the values beside it. */
const anyText = "x-any-text";

/** For the types of readers: an extensible list is its values and any other text. */
export function extendLists(description: OpenAPI3): OpenAPI3 {
  return JSON.parse(JSON.stringify(description), (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || !("x-extensible" in value)) {
      return value;
    }
    const { "x-extensible": _, ...list } = value;
    return { ...textsOf(list), anyOf: [list, { type: "string", [anyText]: true }] };
  });
}

function textsOf({ description, examples }: { description?: unknown; examples?: unknown }): object {
  return { description, examples };
}
