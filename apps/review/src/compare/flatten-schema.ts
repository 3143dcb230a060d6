import { canonical, isObject, listOf, objectOf, omit, pick, type Json, type JsonObject } from "./json.ts";
import { lookUp, nameComponent } from "./resolve.ts";

/** A schema without references and `allOf`. `isNullable` allows null as well. */
export type SchemaPart = { schema: JsonObject; isNullable: boolean };

/** Holds the texts of single values, when a list is written as a form for each value. */
export const valueTexts = "value texts";

export type FlatSchema = { parts: SchemaPart[]; component: string | null };

/**
 * A schema as the list of parts that a value must all fit. A reference equals its target, an `allOf` its schema,
 * `anyOf: [X, { type: "null" }]` a nullable X and `anyOf` of constants an `enum`, so rewriting is not a change.
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
  const unwrapped = unwrapNullable(document, schema, open) ?? unwrapValues(document, schema, open);
  return unwrapped ?? (isEmpty(schema) ? [] : [{ schema, isNullable: false }]);
}

/** `anyOf` or `oneOf` of a single schema, with or without null, equals that schema. */
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

/** `anyOf` or `oneOf` of single values equals an `enum` of them. */
function unwrapValues(document: JsonObject, schema: JsonObject, open: readonly string[]): SchemaPart[] | null {
  for (const key of ["anyOf", "oneOf"]) {
    const forms = listOf(schema[key]).map(valuesOfForm);
    const values = forms.flatMap((form) => form ?? []);
    // A value that is in two forms of `oneOf` fits neither.
    const isDoubtful = key === "oneOf" && new Set(values.map(canonical)).size < values.length;
    if (forms.length > 0 && !forms.includes(null) && !isDoubtful) {
      const texts = listOf(schema[key]).map((form) => pick(isObject(form) ? form : {}, formTexts));
      const hasTexts = texts.some((one) => !isEmpty(one));
      const list = { enum: values, ...(hasTexts ? { [valueTexts]: texts } : {}) };
      return [{ schema: list, isNullable: false }, ...partsOf(document, omit(schema, [key]), open)];
    }
  }
  return null;
}

const formTexts: readonly string[] = ["title", "description", "$comment"];

/** The values of a form that only lists values, otherwise null. */
function valuesOfForm(form: Json): readonly Json[] | null {
  if (!isObject(form)) {
    return null;
  }
  if (isNull(form)) {
    return [null];
  }
  const { const: value, enum: values } = form;
  const others = omit(form, ["const", "enum", "type", ...formTexts]);
  if (!isEmpty(others) || (value === undefined) === (values === undefined)) {
    return null;
  }
  const listed = value === undefined ? listOf(values) : [value];
  return form["type"] === undefined || listed.every((one) => typeof one === form["type"]) ? listed : null;
}

type Forms = { forms: Json[]; formsKeyword: "anyOf" | "oneOf" | null };

/** The forms of a schema with more than one, each combined with the schema's other keywords. */
export function formsOf(parts: readonly SchemaPart[]): Forms {
  const [first] = parts.flatMap((part) =>
    formKeywords.filter((key) => isListOfForms(part.schema[key])).map((key) => ({ part, key })),
  );
  if (!first) {
    return { forms: [], formsKeyword: null };
  }
  const { part, key } = first;
  const rest = [...parts.filter((one) => one !== part).map(({ schema }) => schema), omit(part.schema, [key])];
  // The discriminator belongs to the whole, and not to each form.
  const kept = rest.map((one) => omit(one, ["discriminator"])).filter((one) => !isEmpty(one));
  const forms = listOf(part.schema[key]).map((form) => (kept.length === 0 ? form : { allOf: [...kept, form] }));
  return { forms, formsKeyword: key };
}

const formKeywords = ["oneOf", "anyOf"] as const;
/** A form with only these keywords describes nothing: it narrows the schema that contains it. */
const narrowing: readonly string[] = ["required", "not", "dependentRequired", "minProperties", "maxProperties"];

function isListOfForms(forms: Json | undefined): boolean {
  return forms !== undefined && !listOf(forms).every(isNarrowing);
}

function isNarrowing(form: Json): boolean {
  return isObject(form) && !isEmpty(form) && isEmpty(omit(form, [...narrowing, ...formTexts]));
}

/** `oneOf` and `anyOf` whose forms describe nothing, each as the set of its conditions. */
export function alternativesOf({ schema }: SchemaPart): ReadonlySet<string>[] {
  return formKeywords
    .filter((key) => schema[key] !== undefined && !isListOfForms(schema[key]))
    .map((key) => new Set(listOf(schema[key]).map((form) => canonical(omit(objectOf(form), formTexts)))));
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
