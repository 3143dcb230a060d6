import type { OpenAPI3 } from "openapi-typescript";

type Operation = { parameters?: unknown; requestBody?: unknown };
type PathItem = Record<string, Operation> & { parameters?: unknown };
type Components = Record<string, Record<string, unknown>>;

/**
 * The description in its published form: schemas that readers receive, in responses and events, allow unknown fields by
 * leaving them unmentioned. Schemas of requests stay closed. The linter ensures that no closed component is both.
 * Bodies are components.
 */
export function openAnswers(description: OpenAPI3): OpenAPI3 {
  // The linter has validated the description against the OpenAPI schema, and the bundler leaves these in place.
  const paths = (description.paths ?? {}) as unknown as Record<string, PathItem>;
  const components = (description.components ?? {}) as unknown as Components;
  const sent = reach(
    components,
    Object.values(paths).map(({ parameters, ...operations }) => [
      parameters,
      Object.values(operations).map((operation) => [operation.parameters, operation.requestBody]),
    ]),
  );
  const schemas = Object.entries(components["schemas"] ?? {}).map(([name, schema]) => [
    name,
    sent.has(`schemas/${name}`) ? schema : open(schema),
  ]);
  return { ...description, components: { ...description.components, schemas: Object.fromEntries(schemas) } };
}

/** Components, such as `schemas/Wallet`, that the node refers to directly or through others. */
function reach(components: Components, node: unknown, found = new Set<string>()): Set<string> {
  for (const [, kind = "", name = ""] of JSON.stringify(node).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
    if (!found.has(`${kind}/${name}`)) {
      reach(components, components[kind]?.[name], found.add(`${kind}/${name}`));
    }
  }
  return found;
}

/** A schema without fields stays closed. It is a map that is always empty, and would otherwise allow anything. */
function open(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    return schema.map(open);
  }
  if (typeof schema !== "object" || schema === null) {
    return schema;
  }
  const isOpened = "additionalProperties" in schema && schema.additionalProperties === false && "properties" in schema;
  const entries = Object.entries(schema).filter(([key]) => !isOpened || key !== "additionalProperties");
  return Object.fromEntries(entries.map(([key, value]) => [key, open(value)]));
}
