/** A whole number that a double cannot hold is a bigint, so that bounds of 64 bits are compared as they are written. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export function parseJson(text: string): Json {
  const keepWhole = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
      ? BigInt(context?.source ?? "")
      : value;
  // JSON has no other values, and `keepWhole` adds BigInt alone.
  return JSON.parse(text, keepWhole) as Json;
}

export function isNumber(value: Json | undefined): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

export function textsOf(value: Json | undefined): string[] {
  return listOf(value).filter((one) => typeof one === "string");
}

export function textOf(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}

/** The same text for the same value, whatever the order of its keys. */
export function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join()}]`;
  }
  if (!isObject(value)) {
    return typeof value === "bigint" ? String(value) : (JSON.stringify(value) ?? "absent");
  }
  const fields = Object.keys(value).sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
}

export function omit(value: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

export function pick(value: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => keys.includes(key)));
}

/** The keys of both, those of the first before those that only the second has. */
export function keysOf(base: JsonObject, head: JsonObject): string[] {
  return [...new Set([...Object.keys(base), ...Object.keys(head)])];
}
