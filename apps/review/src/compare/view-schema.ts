import { alternativesOf, flattenSchema, formsOf, valueTexts, type SchemaPart } from "./flatten-schema.ts";
import {
  canonical,
  isNumber,
  isObject,
  listOf,
  objectOf,
  omit,
  parseJson,
  pick,
  textsOf,
  type Json,
  type JsonObject,
} from "./json.ts";
import { dereference } from "./resolve.ts";

/** The constraints of a schema, keyword by keyword, with references and `allOf` resolved. */
export type SchemaView = {
  component: string | null;
  /** Types without null. `null` means any type. */
  types: ReadonlySet<string> | null;
  isNullable: boolean;
  /** Values of `enum` and `const`, as JSON and without null. `null` means any value. */
  values: ReadonlySet<string> | null;
  /** The document promises that values will be added, so readers must expect unknown ones. */
  isOpenList: boolean;
  limits: JsonObject;
  /** Further conditions: `not`, `if`, `dependentRequired` and the like, each as JSON. */
  conditions: ReadonlySet<string>;
  patterns: string;
  formats: string;
  fields: ReadonlyMap<string, Json>;
  required: ReadonlySet<string>;
  additional: Json;
  names: Json | undefined;
  items: Json | undefined;
  default: Json | undefined;
  forms: readonly Json[];
  /** Whether a value fits any of the forms, or exactly one. */
  formsKeyword: "anyOf" | "oneOf" | null;
  /** Sets of conditions, each as JSON, of which a value meets one: `oneOf` of lists of required fields. */
  alternatives: readonly ReadonlySet<string>[];
  /** The schemas of the first members of an array (`prefixItems`); `items` is that of the others. */
  prefix: readonly Json[];
  discriminator: JsonObject | null;
  isDeprecated: boolean;
  isReadOnly: boolean;
  isWriteOnly: boolean;
  texts: JsonObject;
  /** Keywords that have no judgement of their own, dereferenced. */
  rest: JsonObject;
};

const limitKeywords: readonly string[] = [
  ...["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"],
  ...["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"],
  ...["multipleOf", "uniqueItems"],
];
const textKeywords: readonly string[] = [
  "title",
  "description",
  "example",
  "examples",
  "externalDocs",
  "$comment",
  "xml",
  "x-issue",
  "x-mistakes",
  "x-codes",
  valueTexts,
];
/** Each of these narrows the accepted values independently of the other keywords. */
const conditionKeywords: readonly string[] = [
  ...["not", "if", "then", "else", "dependentRequired", "dependentSchemas"],
  ...["contains", "minContains", "maxContains", "unevaluatedItems"],
];
const judgedKeywords: readonly string[] = [
  ...limitKeywords,
  ...conditionKeywords,
  ...textKeywords,
  ...["type", "enum", "const", "pattern", "format", "properties", "required", "additionalProperties", "propertyNames"],
  ...["unevaluatedProperties", "prefixItems", "discriminator"],
  ...["items", "default", "oneOf", "anyOf", "deprecated", "readOnly", "writeOnly", "x-extensible"],
  // Compared as a whole, apart from the schemas.
  "x-state-machine",
];

export function viewSchema(document: JsonObject, value: Json | undefined): SchemaView {
  const { parts, component } = flattenSchema(document, value);
  const schemas = parts.map(({ schema }) => schema);
  // The last part is nearest to the use, so its texts and its default win.
  const merged = Object.assign({}, ...schemas) as JsonObject;
  const allowed = allowedOf(parts);
  return {
    component,
    ...allowed,
    isOpenList: schemas.some((schema) => schema["x-extensible"] === true),
    limits: limitsOf(schemas, allowed.types),
    alternatives: parts.flatMap(alternativesOf),
    conditions: new Set(schemas.flatMap(conditionsOf).map((one) => canonical(dereference(document, one)))),
    patterns: joined(schemas, "pattern"),
    formats: joined(schemas.map(withoutWidth), "format"),
    ...fieldsOf(schemas),
    items: together(schemas.flatMap(({ items }) => items ?? [])),
    default: merged["default"],
    ...formsOf(parts),
    prefix: schemas.map(({ prefixItems }) => listOf(prefixItems)).find((one) => one.length > 0) ?? [],
    discriminator: schemas.map((schema) => schema["discriminator"]).findLast(isObject) ?? null,
    isDeprecated: merged["deprecated"] === true,
    isReadOnly: merged["readOnly"] === true,
    isWriteOnly: merged["writeOnly"] === true,
    texts: objectOf(dereference(document, { ...pick(merged, textKeywords), ...widthOf(merged) })),
    rest: restOf(document, merged),
  };
}

/** Types and values that all parts accept. */
function allowedOf(parts: readonly SchemaPart[]): Pick<SchemaView, "types" | "isNullable" | "values"> {
  const each = parts.map(({ schema, isNullable }) => ({
    ...allowedOfPart(schema),
    isNullable: isNullable || allowsNull(schema),
  }));
  const values = each.map((one) => one.values).reduce(both, null);
  const types = each.map((one) => one.types).reduce(bothTypes, null);
  return { values, types: types ?? (values && typesOfValues(values)), isNullable: each.every((one) => one.isNullable) };
}

function allowedOfPart(schema: JsonObject): Pick<SchemaView, "types" | "values"> {
  const types = typeof schema["type"] === "string" ? [schema["type"]] : schema["type"] && textsOf(schema["type"]);
  const values = schema["const"] === undefined ? schema["enum"] && listOf(schema["enum"]) : [schema["const"]];
  return {
    types: types ? new Set(types.filter((type) => type !== "null")) : null,
    values: values ? new Set(values.filter((value) => value !== null).map(canonical)) : null,
  };
}

function allowsNull({ type, enum: values, const: value }: JsonObject): boolean {
  const byType = type === undefined || type === "null" || listOf(type).includes("null");
  const byValue = (values === undefined || listOf(values).includes(null)) && (value === undefined || value === null);
  return byType && byValue;
}

function both(a: ReadonlySet<string> | null, b: ReadonlySet<string> | null): ReadonlySet<string> | null {
  return a && b ? a.intersection(b) : (a ?? b);
}

function bothTypes(a: ReadonlySet<string> | null, b: ReadonlySet<string> | null): ReadonlySet<string> | null {
  if (!a || !b) {
    return a ?? b;
  }
  const takes = (types: ReadonlySet<string>, type: string): boolean =>
    types.has(type) || (type === "integer" && types.has("number"));
  return new Set([...[...a].filter((type) => takes(b, type)), ...[...b].filter((type) => takes(a, type))]);
}

function typesOfValues(values: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...values].map((text) => typeOf(parseJson(text))));
}

function typeOf(value: Json): string {
  if (typeof value === "bigint") {
    return "integer";
  }
  if (typeof value === "number") {
    return Number.isInteger(value) ? "integer" : "number";
  }
  return Array.isArray(value) ? "array" : typeof value;
}

/** The tightest of each limit. A lower bound of zero counts as none; limits of integers are whole and inclusive. */
function limitsOf(schemas: readonly JsonObject[], types: SchemaView["types"]): JsonObject {
  const limits: Record<string, Json> = {};
  const isWhole = types?.size === 1 && types.has("integer");
  const entries = schemas.flatMap((schema) => [
    ...Object.entries(pick(schema, limitKeywords)),
    ...boundsOfWidth(schema),
  ]);
  for (const [key, value] of isWhole ? entries.map(toWholeBound) : entries) {
    const isVoid = value === false || (value === 0 && /^min[A-Z]/.test(key));
    const known = limits[key];
    const isWeaker = isNumber(known) && isNumber(value) && (/max/i.test(key) ? value > known : value < known);
    if (!isVoid && !isWeaker) {
      limits[key] = value;
    }
  }
  return limits;
}

/** Formats that only say how wide a number is. They bound it and do not change how it is written. */
const widths: Readonly<Record<string, readonly [string, Json][]>> = {
  int8: [
    ["minimum", -(2 ** 7)],
    ["maximum", 2 ** 7 - 1],
  ],
  int16: [
    ["minimum", -(2 ** 15)],
    ["maximum", 2 ** 15 - 1],
  ],
  int32: [
    ["minimum", -(2 ** 31)],
    ["maximum", 2 ** 31 - 1],
  ],
  int64: [],
  float: [["single precision", true]],
  double: [],
};

/** The format of a number when it only states a width, whose bounds are compared as limits. */
function widthOf({ type, format }: JsonObject): { format?: string } {
  const isNumeric = [type].flat().some((one) => one === "integer" || one === "number");
  return isNumeric && typeof format === "string" && Object.hasOwn(widths, format) ? { format } : {};
}

function boundsOfWidth(schema: JsonObject): readonly [string, Json][] {
  return widths[widthOf(schema).format ?? ""] ?? [];
}

function withoutWidth(schema: JsonObject): JsonObject {
  return omit(schema, Object.keys(widthOf(schema)));
}

function toWholeBound([key, value]: [string, Json]): [string, Json] {
  if (typeof value !== "number") {
    return [key, value];
  }
  switch (key) {
    case "minimum":
      return [key, Math.ceil(value)];
    case "maximum":
      return [key, Math.floor(value)];
    case "exclusiveMinimum":
      return ["minimum", Math.floor(value) + 1];
    case "exclusiveMaximum":
      return ["maximum", Math.ceil(value) - 1];
    default:
      return [key, value];
  }
}

/** Separate conditions, so that the one that is added or removed is named. */
function conditionsOf(schema: JsonObject): JsonObject[] {
  const apart = (key: string): JsonObject[] =>
    Object.entries(objectOf(schema[key])).map(([field, one]) => ({ [key]: { [field]: one } }));
  const together = (key: string, others: readonly string[]): JsonObject[] =>
    schema[key] === undefined ? [] : [pick(schema, [key, ...others])];
  const closing = (key: string): JsonObject[] => together(key, []).filter((one) => one[key] !== true);
  const hasBranch = schema["then"] !== undefined || schema["else"] !== undefined;
  return [
    ...together("not", []),
    ...(hasBranch ? together("if", ["then", "else"]) : []),
    ...apart("dependentRequired").flatMap(oneNameEach),
    ...apart("dependentSchemas"),
    ...together("contains", ["minContains", "maxContains"]),
    ...closing("unevaluatedItems"),
  ];
}

function oneNameEach({ dependentRequired }: JsonObject): JsonObject[] {
  return Object.entries(objectOf(dependentRequired)).flatMap(([field, names]) =>
    textsOf(names).map((name) => ({ dependentRequired: { [field]: [name] } })),
  );
}

function joined(schemas: readonly JsonObject[], key: string): string {
  return [...new Set(schemas.flatMap((schema) => (typeof schema[key] === "string" ? [schema[key]] : [])))]
    .sort()
    .join(" and ");
}

function fieldsOf(schemas: readonly JsonObject[]): Pick<SchemaView, "fields" | "required" | "additional" | "names"> {
  const names = new Set(schemas.flatMap((schema) => Object.keys(objectOf(schema["properties"]))));
  // The fields of all parts are evaluated, so the remaining fields are the same for both keywords.
  const additional = schemas
    .flatMap(({ additionalProperties, unevaluatedProperties }) => additionalProperties ?? unevaluatedProperties ?? [])
    .filter((one) => one !== true);
  return {
    fields: new Map([...names].map((name) => [name, together(ownValues(schemas, name)) ?? {}])),
    required: new Set(schemas.flatMap((schema) => textsOf(schema["required"]))),
    additional: additional.includes(false) ? false : (together(additional) ?? true),
    names: together(schemas.flatMap(({ propertyNames }) => propertyNames ?? [])),
  };
}

function ownValues(schemas: readonly JsonObject[], name: string): Json[] {
  return schemas.flatMap((schema) => {
    const properties = objectOf(schema["properties"]);
    return Object.hasOwn(properties, name) ? [properties[name] ?? {}] : [];
  });
}

function together(schemas: readonly Json[]): Json | undefined {
  return schemas.length > 1 ? { allOf: schemas } : schemas[0];
}

/** Whether every value fits a schema. Texts do not matter. */
export function isAny(schema: Json): boolean {
  return schema === true || (isObject(schema) && Object.keys(omit(schema, textKeywords)).length === 0);
}

function restOf(document: JsonObject, merged: JsonObject): JsonObject {
  return objectOf(dereference(document, omit(merged, judgedKeywords)));
}
