import openapiTS, { astToString, NEVER, STRING, tsIntersection, tsRecord, type OpenAPI3 } from "openapi-typescript";

/**
 * The types of a description. A parameter with a default stays optional for the caller; the server's own types know the
 * defaults.
 */
export async function renderTypes(description: OpenAPI3): Promise<string> {
  const types = await openapiTS(structuredClone(description), {
    defaultNonNullable: false,
    transform: (schema) => (anyText in schema ? tsIntersection([STRING, tsRecord(NEVER, NEVER)]) : undefined),
  });
  return astToString(types);
}

/**
 * Adapts the types for readers. A property that is only a reference gets the description of its target. An editor shows
 * the text of a property and does not follow references.
 */
export function describeReferences(description: OpenAPI3): OpenAPI3 {
  const schemas: Described = description.components?.schemas ?? {};
  return JSON.parse(JSON.stringify(description), (key, value: unknown) =>
    key === "properties" ? describeEach(value as Described, schemas) : value,
  );
}

type Described = Record<string, { $ref?: string; description?: string }>;

function describeEach(properties: Described, schemas: Described): Described {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const referred = schemas[property.$ref?.replace("#/components/schemas/", "") ?? ""];
      return [name, { ...(referred?.description && { description: referred.description }), ...property }];
    }),
  );
}

/** Marks a schema of any string whose type does not absorb the listed values. */
const anyText = "x-any-text";

/** Adapts the types for readers: an extensible list becomes its values and any other string. */
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
