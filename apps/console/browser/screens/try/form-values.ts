import type { FormSchema, Json } from "../../../src/build/form-schema.ts";

/** The place of a value in the body: `["entries", 0, "amount"]`. */
export type Place = readonly (string | number)[];

type ControlKind = FormSchema["kind"] | "absent";

/** The control of a value. A value that fits no control is shown as JSON and stays what it is. */
export function controlFor(schema: FormSchema, value: Json | undefined): ControlKind {
  if (value === undefined) {
    return "absent";
  }
  return holds(schema, value) ? schema.kind : "json";
}

/** Whether the control of this schema can show the value: its kind, not its limits. */
function holds(schema: FormSchema, value: Json): boolean {
  switch (schema.kind) {
    case "object":
    case "map":
      return isObject(value);
    case "list":
      return Array.isArray(value);
    case "text":
      return typeof value === "string";
    case "number":
      return typeof value === "number" || (typeof value === "string" && typeof valueOfText(schema, value) === "string");
    case "boolean":
      return typeof value === "boolean";
    case "choice":
      return schema.values.some((one) => one === value);
    case "nothing":
      return value === null;
    case "union":
      return optionFor(schema.options, value) !== -1;
    case "json":
      return true;
  }
}

/** The first of several schemas that fits a value; -1 when none does. */
export function optionFor(options: readonly FormSchema[], value: Json): number {
  const whole = options.findIndex((option) => fits(option, value));
  return whole === -1 ? options.findIndex((option) => option.kind !== "json" && holds(option, value)) : whole;
}

function fits(schema: FormSchema, value: Json): boolean {
  if (schema.kind === "union") {
    return schema.options.some((option) => fits(option, value));
  }
  const isOfKind = schema.kind === "number" ? typeof value === "number" : holds(schema, value);
  const fitsPart = (part: Part): boolean =>
    part.value === undefined ? !part.isRequired : part.schema !== unknownField && fits(part.schema, part.value);
  return isOfKind && partsOf(schema, value).every(fitsPart);
}

/** The parts of an object, a map or a list. `step` leads to a part; `value` is undefined for an omitted field. */
export type Part = { step: string | number; schema: FormSchema; isRequired: boolean; value: Json | undefined };

const unknownField: FormSchema = { kind: "json", about: "The document does not know it." };

export function partsOf(schema: FormSchema, value: Json | undefined): Part[] {
  if (schema.kind === "list" && Array.isArray(value)) {
    return value.map((item, step) => ({ step, schema: schema.items, isRequired: true, value: item }));
  }
  const held = new Map(isObject(value) ? Object.entries(value) : []);
  if (schema.kind === "map") {
    return [...held].map(([step, one]) => ({ step, schema: schema.values, isRequired: true, value: one }));
  }
  if (schema.kind !== "object" || !isObject(value)) {
    return [];
  }
  const known = schema.properties.map(({ name, ...property }) => ({ ...property, step: name, value: held.get(name) }));
  known.forEach(({ step }) => held.delete(step));
  const others = [...held].map(([step, one]) => ({ step, schema: unknownField, isRequired: false, value: one }));
  return [...known, ...others];
}

export function textOf(value: Json | undefined): string {
  return value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
}

const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** The value as it is sent. A number that cannot be kept exactly goes as text: the API never gets another number. */
export function valueOfText(schema: FormSchema, text: string): Json {
  switch (schema.kind) {
    case "number": {
      const number = Number(text);
      const isExact = Number.isSafeInteger(number) || String(number) === text || !isWhole(text);
      return numberText.test(text) && Number.isFinite(number) && isExact ? number : text;
    }
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
    case "choice":
      return schema.values.find((value) => String(value) === text) ?? text;
    case "json": {
      const value = parsed(text);
      return value === undefined ? text : value;
    }
    case "union": {
      const readings = schema.options.map((option) => valueOfText(option, text));
      return readings.find((value) => typeof value !== "string") ?? text;
    }
    case "nothing":
      return text === "null" ? null : text;
    default:
      return text;
  }
}

function isWhole(text: string): boolean {
  return /^-?\d+$/.test(text);
}

function parsed(text: string): Json | undefined {
  try {
    // `JSON.parse` returns only JSON values.
    return JSON.parse(text) as Json;
  } catch {
    // The text is not JSON.
    return undefined;
  }
}

/** The first value of an added part: the document's example, otherwise its required parts, empty. */
export function startOf(schema: FormSchema): Json {
  if (schema.start !== undefined) {
    return schema.start;
  }
  switch (schema.kind) {
    case "object":
      return Object.fromEntries(
        schema.properties.filter(({ isRequired }) => isRequired).map((one) => [one.name, startOf(one.schema)]),
      );
    case "map":
      return {};
    case "list":
      return [];
    case "number":
      return schema.minimum ?? 0;
    case "boolean":
      return false;
    case "choice":
      return schema.values[0] ?? "";
    case "union":
      return schema.options[0] === undefined ? null : startOf(schema.options[0]);
    case "nothing":
    case "json":
      return null;
    case "text":
      return "";
  }
}

/** The body with another value in one place. Undefined removes the value, in a list without leaving a hole. */
export function setAt(value: Json | undefined, place: Place, next: Json | undefined): Json | undefined {
  const [step, ...rest] = place;
  if (step === undefined) {
    return next;
  }
  if (typeof step === "number") {
    const items = Array.isArray(value) ? [...value] : [];
    const inner = setAt(items[step], rest, next);
    items.splice(step, 1, ...(inner === undefined ? [] : [inner]));
    return items;
  }
  const entries = isObject(value) ? Object.entries(value) : [];
  const at = entries.findIndex(([name]) => name === step);
  const inner = setAt(entries[at]?.[1], rest, next);
  const entry: [string, Json][] = inner === undefined ? [] : [[step, inner]];
  entries.splice(at === -1 ? entries.length : at, 1, ...entry);
  return Object.fromEntries(entries);
}

/** Renames an entry without moving it. Nothing changes when the new name is already in use. */
export function renameAt(value: { [name: string]: Json }, from: string, to: string): { [name: string]: Json } {
  return Object.hasOwn(value, to)
    ? value
    : Object.fromEntries(Object.entries(value).map(([name, one]) => [name === from ? to : name, one]));
}

/** The name of a field as in `details[]` of a refusal: `entries[0].amount`. */
export function fieldNameOf(place: Place): string {
  return place.reduce<string>(
    (text, step) => (typeof step === "number" ? `${text}[${step}]` : text === "" ? step : `${text}.${step}`),
    "",
  );
}

/** The value without its write-only parts. Undefined when no part of it may be kept. */
export function withoutSecrets(schema: FormSchema, value: Json | undefined): Json | undefined {
  if (value === undefined || !hasSecret(schema)) {
    return value;
  }
  if (schema.kind === "object" && isObject(value)) {
    const known = new Map(schema.properties.map((property) => [property.name, property.schema]));
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, one]) => {
        const property = known.get(name);
        const kept = property && withoutSecrets(property, one);
        return kept === undefined ? [] : [[name, kept]];
      }),
    );
  }
  if (schema.kind === "list" && Array.isArray(value)) {
    return value.map((item) => withoutSecrets(schema.items, item)).filter((item) => item !== undefined);
  }
  // The value does not have the document's shape, so the place of the secret in it is unknown.
  return undefined;
}

function hasSecret(schema: FormSchema): boolean {
  switch (schema.kind) {
    case "text":
      return schema.isSecret === true;
    case "object":
      return schema.properties.some((property) => hasSecret(property.schema));
    case "map":
      return hasSecret(schema.values);
    case "list":
      return hasSecret(schema.items);
    case "union":
      return schema.options.some(hasSecret);
    default:
      return false;
  }
}

export function isObject(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
