import type { Parameter, RequestSchema, Resolve, Schema } from "./request-schema.ts";

/** A request in parts, before they are written as text. */
export type RequestParts = {
  /** The number of `&` in front of the query. */
  ampersands: number;
  params: Readonly<Record<string, string>>;
  /** Pairs in their order. A name may occur twice. */
  query: readonly (readonly [name: string, text: string])[];
  /** Names are in lower case, as Node gives them. */
  headers: Readonly<Record<string, string>>;
  /** Undefined if there is no body. */
  body: unknown;
};

/**
 * The document's examples of an operation, each completed with every optional parameter and field. A list whose
 * entries must differ is cut to one entry, so that a mutation may put any other value there.
 */
export function wholeRequests({ parameters, body, examples, resolve }: RequestSchema): RequestParts[] {
  const of = (place: string): [name: string, text: string][] =>
    parameters.filter((one) => one.in === place).map((one) => [one.name, exampleOf(one)]);
  const parts = {
    ampersands: 0,
    params: Object.fromEntries(of("path")),
    query: of("query"),
    headers: Object.fromEntries(of("header").map(([name, text]) => [name.toLowerCase(), text])),
  };
  const bodies = body ? examples.map((example) => complete(example, body, resolve)) : [undefined];
  return bodies.map((one) => ({ ...parts, body: one }));
}

function exampleOf({ name, example }: Parameter): string {
  if (example === undefined) {
    throw new Error(`The document has no example of the parameter ${name}.`);
  }
  return String(example);
}

/** Adds the fields that the value lacks, as many as its schema allows. */
function complete(value: unknown, schema: Schema, resolve: Resolve): unknown {
  const { properties = {}, maxProperties = Infinity, items = {}, uniqueItems } = resolve(schema);
  if (Array.isArray(value)) {
    return value.slice(0, uniqueItems ? 1 : value.length).map((entry) => complete(entry, items, resolve));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const own = Object.entries(value).map(([name, entry]) => [name, complete(entry, properties[name] ?? {}, resolve)]);
  const others = Object.entries(properties)
    .filter(([name]) => !Object.hasOwn(value, name))
    .map(([name, one]) => [name, complete(sampleOf(one, resolve), one, resolve)]);
  return Object.fromEntries([...own, ...others.slice(0, Math.max(0, maxProperties - own.length))]) as object;
}

/** Makes a value that fits, from the schema's examples. */
function sampleOf(schema: Schema, resolve: Resolve): unknown {
  const { examples, enum: values, anyOf, type, items, minItems = 1, properties = {}, ...rest } = resolve(schema);
  const found = examples?.[0] ?? rest.default ?? values?.[0];
  if (found !== undefined) {
    return found;
  }
  if (anyOf?.[0]) {
    return sampleOf(anyOf[0], resolve);
  }
  if (type === "array") {
    return Array.from({ length: minItems }, () => sampleOf(items ?? {}, resolve));
  }
  if (type === "object") {
    return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, sampleOf(one, resolve)]));
  }
  throw new Error(`The document has no example of ${JSON.stringify(schema)}.`);
}
