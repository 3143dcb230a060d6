import type { OpenApiDocument, OperationPolicy } from "@gateway/contract";
import { words } from "@gateway/testkit";
import fc from "fast-check";
import type { Ask } from "./http-client.ts";
import { fittingLeaf } from "./requests/fitting-leaf.ts";
import { requestSchemaOf, type Resolve, type Schema } from "./requests/request-schema.ts";

/**
 * Requests to one operation, made from its schemas. Most parts fit, but about half of the requests are wrong in one
 * place or more. They hold no text that Postgres could not store, because no schema mentions that.
 */
export function generateRequest(document: OpenApiDocument, operation: OperationPolicy): fc.Arbitrary<Ask> {
  const { path, method } = operation;
  const { parameters, body: bodySchema, resolve } = requestSchemaOf(document, operation);
  const values = createValues(resolve);
  const textsOf = (place: string): Record<string, fc.Arbitrary<string>> =>
    Object.fromEntries(
      parameters.filter((one) => one.in === place).map(({ name, schema }) => [name, values.nearly(schema).map(String)]),
    );
  const target = fc
    .tuple(fc.record(textsOf("path")), queryOf(withOddTexts(textsOf("query"))))
    .map(([texts, query]) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(texts[name] ?? "")) + query);
  return fc.record({
    method: fc.constant(method.toUpperCase()),
    target,
    headers: fc
      .record(withOddTexts(textsOf("header")), { requiredKeys: [] })
      .map((headers) => ({ ...sendable(headers), ...(bodySchema && { "Content-Type": "application/json" }) })),
    body: bodySchema ? values.nearly(bodySchema).map((body) => JSON.stringify(body)) : fc.constant(undefined),
  });
}

function withOddTexts(known: Record<string, fc.Arbitrary<string>>): Record<string, fc.Arbitrary<string>> {
  return Object.fromEntries(Object.entries(known).map(([name, text]) => [name, fc.oneof(text, text, oddText)]));
}

/** Some of the parameters. Now and then one is repeated, one is not in the document, or a string is not encoded. */
function queryOf(known: Record<string, fc.Arbitrary<string>>): fc.Arbitrary<string> {
  const knownPairs = Object.entries(known).map(([name, text]) => fc.tuple(fc.constant(name), text));
  const unknownPair = fc.tuple(oddName, oddText);
  const pair = knownPairs.length > 0 ? oftenOr(fc.oneof(...knownPairs), unknownPair) : unknownPair;
  const pairs = oftenOr(
    fc.uniqueArray(pair, { maxLength: 3, selector: ([name]) => name }),
    fc.array(pair, { maxLength: 4 }),
  );
  const few = knownPairs.length > 0 ? pairs : oftenOr(fc.constant([]), pairs);
  const encoding = oftenOr(fc.constant(encode), fc.constant(encodeLoosely));
  return fc
    .tuple(few, encoding)
    .map(([all, spell]) =>
      all.length > 0 ? `?${all.map(([name, text]) => `${encode(name)}=${spell(text)}`).join("&")}` : "",
    );
}

/** Names, some of which every JavaScript object has. */
const oddName = fc.oneof(
  fc.constantFrom("surplus", "__proto__", "constructor", "toString"),
  fc.string({ unit: "grapheme", maxLength: 5 }),
);

const oddText = fc.oneof(
  fc.constantFrom("", " 5", ...words`0 -1 00 0x10 1e1 5.0 +5 1_000 Infinity null true [] a,b a/b:c toString`),
  fc.string({ unit: "grapheme", maxLength: 8 }),
);

type Values = { nearly(schema: Schema): fc.Arbitrary<unknown> };

function createValues(resolve: Resolve): Values {
  const nearly = (schema: Schema): fc.Arbitrary<unknown> => {
    const resolved = resolve(schema);
    return oftenOr(fitting(resolved), oddFor(resolved));
  };

  const fitting = (schema: Schema): fc.Arbitrary<unknown> => {
    if (schema.anyOf) {
      return fc.oneof(...schema.anyOf.map(nearly));
    }
    switch (schema.type) {
      case "array":
        return fc.array(nearly(schema.items ?? {}), {
          minLength: schema.minItems ?? 0,
          maxLength: schema.maxItems ?? 5,
          size: "small",
        });
      case "object":
        return objectOf(schema);
      default:
        return fittingLeaf(schema);
    }
  };

  const objectOf = ({
    properties = {},
    required = [],
    propertyNames,
    additionalProperties,
  }: Schema): fc.Arbitrary<unknown> => {
    const own = fc.record(
      Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, nearly(schema)])),
      { requiredKeys: required },
    );
    const others =
      typeof additionalProperties === "object"
        ? fc.dictionary(nearly(propertyNames ?? { type: "string" }).map(nameOf), nearly(additionalProperties), {
            maxKeys: 4,
          })
        : oftenOr(fc.constant({}), fc.dictionary(oddName, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }));
    const whole = fc.tuple(own, others).map(([one, other]) => ({ ...other, ...one }));
    return oftenOr(
      whole,
      fc.tuple(whole, fc.constantFrom(...required, "none")).map(([value, name]) => without(value, name)),
    );
  };
  return { nearly };
}

/** Values of other types, and those just outside of each bound of the schema. */
function oddFor({
  maxLength,
  minLength,
  minimum,
  maximum,
  type,
  format,
  minItems,
  maxItems,
}: Schema): fc.Arbitrary<unknown> {
  const bounds: unknown[] = [
    ...(maxLength !== undefined ? ["a".repeat(maxLength), "a".repeat(maxLength + 1), "💥".repeat(maxLength)] : []),
    ...(minLength !== undefined ? ["a".repeat(minLength), "a".repeat(Math.max(0, minLength - 1))] : []),
    ...(minimum !== undefined ? [minimum, minimum - 1, minimum + 0.5, String(minimum)] : []),
    ...(maximum !== undefined ? [maximum, maximum + 1, maximum * 2 ** 40] : []),
    ...(type === "array"
      ? [[], Array.from({ length: (maxItems ?? 5) + 1 }, (_, index) => `a${index}`), Array(minItems ?? 1).fill({})]
      : []),
    ...(format === "date-time"
      ? words`
          2026-02-30T00:00:00Z 2026-12-31T23:59:60Z 2026-01-01T24:00:00Z 2026-01-01 2026-01-01T00:00:00
          2026-01-01T00:00:00+24:00
        `
      : []),
  ];
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...bounds, null, "", {}) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
    { weight: 1, arbitrary: fc.string({ unit: "grapheme" }) },
  );
}

/** `String` throws for an object with a member "toString", which is a value of JSON. */
function nameOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function oftenOr<Often, Rarely>(
  often: fc.Arbitrary<Often>,
  rarely: fc.Arbitrary<Rarely>,
): fc.Arbitrary<Often | Rarely> {
  return fc.oneof({ weight: 11, arbitrary: often }, { weight: 1, arbitrary: rarely });
}

function without(value: object, name: string): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Leaves characters that are allowed in a query unencoded, except its separators. */
function encodeLoosely(text: string): string {
  return encodeURI(text.toWellFormed()).replaceAll(/[&=#]/g, encodeURIComponent);
}

/** Node's client sends no others (RFC 9110, 5.5). */
function sendable(headers: Partial<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, text = ""]) => [name, text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "?")]),
  );
}
