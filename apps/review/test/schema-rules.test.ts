import { describe, expect, test } from "vitest";
import type { Channel } from "../src/compare/rules.ts";
import { compareDocuments } from "../src/compare/compare-documents.ts";
import { canonical, type Json, type JsonObject } from "../src/compare/json.ts";
import type { Severity } from "../src/compare/rule-text.ts";
import { schemaRules } from "../src/compare/schema-rules.ts";
import { groupChanges } from "../src/group-changes.ts";

/**
 * The expected severities for a sender and for a reader of the schema, one letter each: Breaking, Attention, aDditive,
 * dOcumentation.
 */
type Verdicts = `${"B" | "A" | "D" | "O"}${"B" | "A" | "D" | "O"}`;
type Row = [rules: string, base: Json, head: Json, verdicts: Verdicts[]];

const severityOf: Readonly<Record<string, Severity>> = {
  B: "breaking",
  A: "attention",
  D: "additive",
  O: "documentation",
};

const text = { type: "string" };
const closed = { type: "object", additionalProperties: false };
const one = { ...closed, properties: { a: text } };
const both = { ...closed, properties: { a: text, b: text } };
const cat = { type: "object", properties: { kind: { const: "cat" }, lives: { type: "integer" } } };
const dog = { type: "object", properties: { kind: { const: "dog" } } };

const animals = { oneOf: [cat, dog] };
const told = (propertyName: string, mapping: Record<string, string> = {}): JsonObject => ({
  ...animals,
  discriminator: { propertyName, mapping },
});

const rows: Row[] = [
  ["field-added", one, both, ["DD"]],
  ["required-field-added", one, { ...both, required: ["b"] }, ["BD"]],
  ["field-removed", both, one, ["BB"]],
  ["field-ignored", { ...both, additionalProperties: true }, { ...one, additionalProperties: true }, ["AB"]],
  ["field-ignored opened", both, { ...one, additionalProperties: true }, ["AB", "DD"]],
  ["field-required", one, { ...one, required: ["a"] }, ["BD"]],
  ["field-optional", { ...one, required: ["a"] }, one, ["DB"]],
  ["type-changed", text, { type: "integer" }, ["BB"]],
  ["type-changed", text, { type: "object", required: ["a"] }, ["BB"]],
  ["type-narrowed", { type: ["string", "integer"] }, text, ["BD"]],
  ["type-narrowed", { type: "number" }, { type: "integer" }, ["BD"]],
  ["type-narrowed", {}, text, ["BD"]],
  ["type-widened", { type: "integer" }, { type: "number" }, ["DB"]],
  ["type-widened", text, {}, ["DB"]],
  ["null-refused", { type: ["string", "null"] }, text, ["BD"]],
  ["null-allowed", text, { anyOf: [text, { type: "null" }] }, ["DB"]],
  ["null-allowed", { enum: ["a"] }, { enum: ["a", null] }, ["DB"]],
  ["value-added", { enum: ["a"] }, { enum: ["a", "b"] }, ["DA"]],
  [
    "value-added",
    { enum: ["a"], description: "More may be added." },
    { enum: ["a", "b"], description: "More may be added." },
    ["DA"],
  ],
  ["listed-value-added", { enum: ["a"], "x-extensible": true }, { enum: ["a", "b"], "x-extensible": true }, ["DD"]],
  ["value-removed", { enum: ["a", "b"] }, { enum: ["a"] }, ["BA"]],
  ["value-removed", { enum: ["a", "b"] }, { const: "a" }, ["BA"]],
  ["values-replaced", { const: "a" }, { const: "b" }, ["BB"]],
  ["values-listed", text, { ...text, enum: ["a"] }, ["BD"]],
  ["values-freed", { ...text, enum: ["a"] }, text, ["DA"]],
  ["limit-tightened", { ...text, minLength: 1 }, { ...text, minLength: 2 }, ["BD"]],
  ["limit-tightened", text, { ...text, maxLength: 2 }, ["BD"]],
  ["limit-tightened", { type: "array" }, { type: "array", uniqueItems: true }, ["BD"]],
  ["limit-tightened", { type: "integer", multipleOf: 2 }, { type: "integer", multipleOf: 4 }, ["BD"]],
  [
    "limit-tightened",
    { type: "integer", maximum: 5 },
    { allOf: [{ type: "integer", maximum: 5 }, { maximum: 3 }] },
    ["BD"],
  ],
  ["limit-tightened", { type: "number", minimum: 0 }, { type: "number", exclusiveMinimum: 0 }, ["BD"]],
  ["limit-tightened", { type: "integer", minimum: 0 }, { type: "integer", exclusiveMinimum: 0 }, ["BD"]],
  ["limit-relaxed", { type: "number", exclusiveMaximum: 5 }, { type: "number", maximum: 5 }, ["DA"]],
  ["limit-relaxed", { ...text, maxLength: 2 }, text, ["DA"]],
  ["limit-relaxed", { type: "number", minimum: 0 }, { type: "number", minimum: -1 }, ["DA"]],
  [
    "limit-relaxed limit-tightened",
    { type: "integer", multipleOf: 2 },
    { type: "integer", multipleOf: 3 },
    ["DA", "BD"],
  ],
  ["pattern-added", text, { ...text, pattern: "a" }, ["BD"]],
  ["pattern-changed", { ...text, pattern: "a" }, { ...text, pattern: "b" }, ["BA"]],
  ["pattern-removed", { ...text, pattern: "a" }, text, ["DA"]],
  ["format-added", text, { ...text, format: "uuid" }, ["BD"]],
  ["format-changed", { ...text, format: "date" }, { ...text, format: "date-time" }, ["BB"]],
  ["format-removed", { ...text, format: "date" }, text, ["DB"]],
  ["default-added", text, { ...text, default: "a" }, ["AO"]],
  ["default-changed", { ...text, default: "a" }, { ...text, default: "b" }, ["BO"]],
  ["default-removed", { ...text, default: "a" }, text, ["BO"]],
  ["closed", { type: "object", properties: { a: text } }, one, ["BD"]],
  ["map-closed", { type: "object" }, closed, ["BB"]],
  ["map-closed", { type: "object", additionalProperties: text }, closed, ["BB"]],
  ["map-closed", { ...one, additionalProperties: text }, one, ["BB"]],
  ["closed", { type: "object" }, { type: "object", additionalProperties: text }, ["BD"]],
  ["opened", closed, { type: "object" }, ["DD"]],
  ["form-added", { oneOf: [cat, dog] }, { oneOf: [dog, cat, text] }, ["DB"]],
  ["form-added", cat, { oneOf: [cat, dog] }, ["DB"]],
  ["form-removed", { anyOf: [cat, dog] }, { oneOf: [cat] }, ["BA"]],
  ["limit-tightened", { oneOf: [cat, dog] }, { oneOf: [dog, { ...cat, minProperties: 2 }] }, ["BD"]],
  [
    "limit-tightened limit-tightened",
    { oneOf: [cat, dog] },
    {
      oneOf: [
        { ...dog, minProperties: 1 },
        { ...cat, minProperties: 2 },
      ],
    },
    ["BD", "BD"],
  ],
  ["deprecated", text, { ...text, deprecated: true }, ["AA"]],
  ["undeprecated", { ...text, deprecated: true }, text, ["DD"]],
  ["condition-added", text, { ...text, not: { const: "a" } }, ["BD"]],
  ["condition-added", { type: "object" }, { type: "object", dependentRequired: { a: ["b"] } }, ["BD"]],
  [
    "condition-added",
    { type: "object", dependentRequired: { a: ["b"] } },
    { type: "object", dependentRequired: { a: ["b", "c"] } },
    ["BD"],
  ],
  ["condition-added", cat, { ...cat, if: { required: ["lives"] }, then: { required: ["kind"] } }, ["BD"]],
  [
    "condition-added",
    { ...text, not: { const: "a" } },
    { allOf: [{ ...text, not: { const: "a" } }, { not: { const: "b" } }] },
    ["BD"],
  ],
  ["condition-added", { type: "array" }, { type: "array", contains: text }, ["BD"]],
  ["closed", cat, { ...cat, unevaluatedProperties: false }, ["BD"]],
  ["condition-added", cat, { ...cat, oneOf: [{ required: ["kind"] }, { required: ["lives"] }] }, ["BD"]],
  ["condition-removed", { ...cat, anyOf: [{ required: ["kind"] }, { required: ["lives"] }] }, cat, ["DA"]],
  [
    "alternative-added",
    { ...cat, anyOf: [{ required: ["kind"] }, { required: ["lives"] }] },
    { ...cat, anyOf: [{ required: ["kind"] }, { required: ["lives"] }, { required: ["a"] }] },
    ["DA"],
  ],
  [
    "alternative-removed",
    { ...cat, anyOf: [{ required: ["kind"] }, { required: ["lives"] }, { required: ["a"] }] },
    { ...cat, anyOf: [{ required: ["kind"] }, { required: ["lives"] }] },
    ["BD"],
  ],
  ["list-opened", { enum: ["a"] }, { enum: ["a"], "x-extensible": true }, ["OB"]],
  ["list-closed", { enum: ["a"], "x-extensible": true }, { enum: ["a"] }, ["OD"]],
  ["listed-values-freed", { ...text, enum: ["a"], "x-extensible": true }, text, ["DD"]],
  ["map-freed", { type: "object", additionalProperties: text }, { type: "object" }, ["DB"]],
  ["discriminator-added", animals, told("kind"), ["OO"]],
  ["discriminator-removed", told("kind"), animals, ["AB"]],
  ["discriminator-changed", told("kind"), told("sort"), ["BB"]],
  ["mapping-added", told("kind", { cat: "Cat" }), told("kind", { cat: "Cat", dog: "Dog" }), ["DB"]],
  ["mapping-removed", told("kind", { cat: "Cat", dog: "Dog" }), told("kind", { cat: "Cat" }), ["BA"]],
  [
    "mapping-changed mapping-changed",
    told("kind", { cat: "Cat", dog: "Dog" }),
    told("kind", { cat: "Dog", dog: "Cat" }),
    ["BB", "BB"],
  ],
  ["forms-joined", { oneOf: [one, both] }, { anyOf: [one, both] }, ["DA"]],
  ["forms-parted", { anyOf: [one, both] }, { oneOf: [one, both] }, ["BD"]],
  [
    "limit-relaxed text-changed",
    { type: "integer", format: "int32", minimum: 0 },
    { type: "integer", format: "int64", minimum: 0 },
    ["DA", "OO"],
  ],
  [
    "limit-tightened text-changed",
    { type: "number", format: "double" },
    { type: "number", format: "float" },
    ["BD", "OO"],
  ],
  [
    "text-changed",
    { type: "integer", format: "int32", minimum: 0, maximum: 9 },
    { type: "integer", format: "int64", minimum: 0, maximum: 9 },
    ["OO"],
  ],
  [
    "limit-tightened",
    { type: "integer", maximum: 9223372036854775807n },
    { type: "integer", maximum: 9223372036854775806n },
    ["BD"],
  ],
  [
    "type-changed",
    { type: "array", prefixItems: [text] },
    { type: "array", prefixItems: [{ type: "integer" }] },
    ["BB"],
  ],
  ["condition-removed", { ...cat, dependentSchemas: { lives: { required: ["kind"] } } }, cat, ["DA"]],
  [
    "condition-added condition-removed",
    { ...text, not: { const: "a" } },
    { ...text, not: { const: "b" } },
    ["BD", "DA"],
  ],
  ["keyword-changed", text, { ...text, contentEncoding: "base64" }, ["AA"]],
  ["text-changed", text, { ...text, description: "Words." }, ["OO"]],
  ["text-changed", { ...text, examples: ["a"] }, { ...text, examples: ["b"] }, ["OO"]],
  ["field-optional", { type: "array", items: { ...one, required: ["a"] } }, { type: "array", items: one }, ["DB"]],
  ["pattern-added", { propertyNames: {} }, { propertyNames: { pattern: "a" } }, ["BD"]],
  ["type-changed", { additionalProperties: text }, { additionalProperties: { type: "integer" } }, ["BB"]],
];

const silent: readonly (readonly [string, Json, Json])[] = [
  ["an object closed for all parts", one, { type: "object", properties: { a: text }, unevaluatedProperties: false }],
  ["a bound of whole numbers", { type: "integer", minimum: 1 }, { type: "integer", exclusiveMinimum: 0 }],
  ["an upper one", { type: "integer", maximum: 9 }, { type: "integer", exclusiveMaximum: 10 }],
  ["a bound between whole numbers", { type: "integer", minimum: 1 }, { type: "integer", minimum: 0.5 }],
  ["a bound twice", { type: "number", exclusiveMinimum: 0 }, { type: "number", exclusiveMinimum: 0, minimum: 0 }],
  ["anyOf of constants", { enum: ["a", "b"] }, { anyOf: [{ const: "b" }, { const: "a" }] }],
  [
    "oneOf of constants with types",
    { ...text, enum: ["a", "b"] },
    { oneOf: [{ ...text, const: "a" }, { const: "b" }] },
  ],
  ["anyOf of lists", { enum: ["a", "b", "c"] }, { anyOf: [{ enum: ["a", "b"] }, { enum: ["b", "c"] }] }],
  [
    "anyOf of constants and null",
    { enum: ["a", "b", null] },
    { anyOf: [{ const: "a" }, { const: "b" }, { type: "null" }] },
  ],
  ["a condition that nothing hangs on", text, { ...text, if: { const: "a" } }],
  ["conditions in parts", { not: { const: "a" }, ...text }, { allOf: [text, { not: { const: "a" } }] }],
];

test.each(silent)("%s in other words is no change", (_name, base, head) => {
  expect([...judge("request", base, head), ...judge("request", head, base)]).toEqual([]);
});

test("words beside a value of a list are words", () => {
  const worded = { anyOf: [{ const: "a", description: "The first." }, { const: "b" }] };
  expect(judge("response", { enum: ["a", "b"] }, worded)).toEqual(["documentation response-text-changed"]);
});

test("two forms of one value that exclude each other are not a list", () => {
  const base = { oneOf: [{ const: "a" }, { const: "a" }, { const: "b" }] };
  expect(judge("request", base, { enum: ["a", "b"] })).not.toEqual([]);
});

const senders: readonly Channel[] = ["request", "answer"];

describe.each(["request", "response", "event", "answer"] as const)("in the channel %s", (channel) => {
  test.each(rows.map((row) => [named(row), ...row] as const))("%s", (_name, names, base, head, verdicts) => {
    const side = senders.includes(channel) ? 0 : 1;
    const expected = names
      .split(" ")
      .map((name, index) => `${severityOf[verdicts[index]?.[side] ?? ""]} ${channel}-${name}`);
    expect(judge(channel, base, head)).toEqual(expected.sort());
  });
});

test("every rule for schemas has a row", () => {
  const named = new Set(rows.flatMap(([names]) => names.split(" ")));
  expect([...named].sort()).toEqual(Object.keys(schemaRules).sort());
});

test("what callers cannot send, and readers cannot get, is not judged", () => {
  const secret = { ...closed, properties: { a: text, b: { ...text, writeOnly: true } } };
  const stamp = { ...closed, properties: { a: text, b: { ...text, readOnly: true } } };
  expect(judge("response", secret, one)).toEqual([]);
  expect(judge("request", secret, one)).toEqual(["breaking request-field-removed"]);
  expect(judge("request", stamp, one)).toEqual([]);
  expect(judge("event", stamp, one)).toEqual(["breaking event-field-removed"]);
});

test("a schema that contains itself is compared to its end, and its change is told once", () => {
  const tree = (leaf: Json): JsonObject => ({
    type: "object",
    properties: { leaf, children: { type: "array", items: { $ref: "#/components/schemas/Tree" } } },
  });
  const documents = [tree(text), tree({ type: "integer" })].map((Tree) => ({
    ...documentOf("response", { $ref: "#/components/schemas/Tree" }),
    components: { schemas: { Tree } },
  }));
  const [base = {}, head = {}] = documents;
  const findings = groupChanges(compareDocuments({ "a.yaml": base }, { "a.yaml": head }));
  expect(findings.map(({ id }) => id.split("~")[0])).toEqual(["response-type-changed:Tree.leaf"]);
});

function named([rules, base, head]: Row): string {
  return `${rules}: ${canonical(base)} to ${canonical(head)}`;
}

function judge(channel: Channel, base: Json, head: Json): string[] {
  const documents = [base, head].map((schema) => ({ "a.yaml": documentOf(channel, schema) }));
  const findings = groupChanges(compareDocuments(documents[0] ?? {}, documents[1] ?? {}));
  return findings.map(({ rule, severity }) => `${severity} ${rule}`).sort();
}

/** A document that uses one schema in one place. */
function documentOf(channel: Channel, schema: Json): JsonObject {
  const body = { required: true, content: { "application/json": { schema } } };
  const isBody = channel === "request" || channel === "event";
  const post = isBody ? { requestBody: body, responses: {} } : { responses: { "200": { content: body.content } } };
  const isPath = channel === "request" || channel === "response";
  const components = { schemas: { Cat: cat, Dog: dog } };
  return { components, ...(isPath ? { paths: { "/a": { post } } } : { webhooks: { a: { post } } }) };
}
