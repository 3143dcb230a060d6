import type { OpenAPI3 } from "openapi-typescript";

type Operation = { parameters?: unknown; requestBody?: unknown };
type PathItem = Record<string, Operation> & { parameters?: unknown };
type Components = Record<string, Record<string, unknown>>;

/**
 * The description as it is published: what is read, answers and events, lets fields pass that nobody knows yet, by saying nothing of
 * others. What is sent stays closed; the linter has seen to it that no closed component is both. Bodies are components.
 */
export function openAnswers(description: OpenAPI3): OpenAPI3 {
  // The linter has held the description against the OpenAPI schema, and the bundler leaves these in place.
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

/** The components, as `schemas/Wallet`, that are referred to from there, also by way of others. */
function reach(components: Components, node: unknown, found = new Set<string>()): Set<string> {
  for (const [, kind = "", name = ""] of JSON.stringify(node).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
    if (!found.has(`${kind}/${name}`)) {
      reach(components, components[kind]?.[name], found.add(`${kind}/${name}`));
    }
  }
  return found;
}

function open(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => (key === "additionalProperties" && value === false ? undefined : value)),
  );
}
