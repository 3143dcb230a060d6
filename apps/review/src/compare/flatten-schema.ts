import { isObject, listOf, omit, type Json, type JsonObject } from "./json.ts";
import { lookUp, nameComponent } from "./resolve.ts";

/** One schema without references and `allOf`; a value must fit all parts. `isNullable`: the part lets null pass as well. */
export type SchemaPart = { schema: JsonObject; isNullable: boolean };

export type FlatSchema = { parts: SchemaPart[]; component: string | null };

/**
 * A schema as the list of what it asks for together. A reference and its target are the same list, and so are a schema and an
 * `allOf` around it, and `anyOf: [X, { type: "null" }]` is X that may be null: moving things about is no difference.
 */
export function flattenSchema(document: JsonObject, value: Json | undefined): FlatSchema {
  const schema = toObject(value);
  const reference = schema["$ref"];
  const component = typeof reference === "string" ? nameComponent(reference) : null;
  return { parts: partsOf(document, schema, []), component };
}

function partsOf(document: JsonObject, value: Json | undefined, open: readonly string[]): SchemaPart[] {
  const schema = toObject(value);
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    if (open.includes(reference)) {
      throw new Error(`The reference ${reference} leads to itself.`);
    }
    const target = partsOf(document, lookUp(document, reference), [...open, reference]);
    return [...target, ...partsOf(document, omit(schema, ["$ref"]), open)];
  }
  if (schema["allOf"] !== undefined) {
    const all = listOf(schema["allOf"]).flatMap((one) => partsOf(document, one, open));
    return [...all, ...partsOf(document, omit(schema, ["allOf"]), open)];
  }
  return unwrapNullable(document, schema, open) ?? (isEmpty(schema) ? [] : [{ schema, isNullable: false }]);
}

/** `anyOf` or `oneOf` of one thing and perhaps null is that thing. */
function unwrapNullable(document: JsonObject, schema: JsonObject, open: readonly string[]): SchemaPart[] | null {
  for (const key of ["anyOf", "oneOf"]) {
    const forms = listOf(schema[key]);
    const others = forms.filter((form) => !isNull(form));
    if (schema[key] === undefined || others.length > 1) {
      continue;
    }
    const isNullable = others.length < forms.length;
    const inner = partsOf(document, others[0], open).map((part) => ({
      ...part,
      isNullable: part.isNullable || isNullable,
    }));
    return [...inner, ...partsOf(document, omit(schema, [key]), open)];
  }
  return null;
}

/** The forms of a schema with more than one, each together with what stands beside them; an empty list when there are none. */
export function formsOf(parts: readonly SchemaPart[]): Json[] {
  const found = parts.flatMap((part) =>
    ["oneOf", "anyOf"].filter((key) => part.schema[key] !== undefined).map((key) => ({ part, key })),
  );
  const [first] = found;
  if (!first) {
    return [];
  }
  const { part, key } = first;
  const rest = [...parts.filter((one) => one !== part).map(({ schema }) => schema), omit(part.schema, [key])];
  const kept = rest.filter((one) => !isEmpty(one));
  return listOf(part.schema[key]).map((form) => (kept.length === 0 ? form : { allOf: [...kept, form] }));
}

function isNull(value: Json): boolean {
  return isObject(value) && value["type"] === "null";
}

function isEmpty(schema: JsonObject): boolean {
  return Object.keys(schema).length === 0;
}

/** `true` is the schema that everything fits, `false` the one that nothing fits. */
function toObject(value: Json | undefined): JsonObject {
  if (value === false) {
    return { not: {} };
  }
  return isObject(value) ? value : {};
}
