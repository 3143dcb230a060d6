import { isObject, objectOf, omit, type Json, type JsonObject } from "./json.ts";

/** A reference's target and the component that it names. The component is null when the value was written in place. */
export type Resolved = { value: JsonObject; component: string | null };

/** Follows references inside a bundled document. Keywords next to a `$ref` override those of its target. */
export function resolve(document: JsonObject, value: Json | undefined): Resolved {
  let current = objectOf(value);
  let component: string | null = null;
  for (let depth = 0; typeof current["$ref"] === "string"; depth++) {
    if (depth > 100) {
      throw new Error(`The reference ${current["$ref"]} leads to itself.`);
    }
    component ??= nameComponent(current["$ref"]);
    current = { ...lookUp(document, current["$ref"]), ...omit(current, ["$ref"]) };
  }
  return { value: current, component };
}

/** The object that a reference inside the document names. The bundler leaves no others. */
export function lookUp(document: JsonObject, reference: string): JsonObject {
  const keys = reference.startsWith("#/") ? reference.slice(2).split("/") : [];
  const found = keys.reduce<Json | undefined>(
    (value, key) =>
      isObject(value) ? value[decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~")] : undefined,
    document,
  );
  if (keys.length === 0 || found === undefined) {
    throw new Error(`There is nothing at the reference ${reference}.`);
  }
  // `false` is a schema too: nothing fits it.
  return found === false ? { not: {} } : objectOf(found);
}

/** `Wallet` for a schema, `parameters/Limit` for the rest; other places have no name of their own. */
export function nameComponent(reference: string): string | null {
  const [, kind, name] = /^#\/components\/(\w+)\/([^/]+)$/.exec(reference) ?? [];
  if (kind === undefined || name === undefined) {
    return null;
  }
  return kind === "schemas" ? name : `${kind}/${name}`;
}

/** Replaces every reference by its target, so that documents compare whatever the names of components. */
export function dereference(document: JsonObject, value: Json | undefined, open: readonly string[] = []): Json {
  if (Array.isArray(value)) {
    return value.map((one: Json) => dereference(document, one, open));
  }
  if (!isObject(value)) {
    return value ?? null;
  }
  const reference = value["$ref"];
  if (typeof reference === "string") {
    const loop = open.indexOf(reference);
    return loop >= 0
      ? { $loop: open.length - loop }
      : dereference(document, { ...lookUp(document, reference), ...omit(value, ["$ref"]) }, [...open, reference]);
  }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, dereference(document, one, open)]));
}

export function hasComponent(document: JsonObject, component: string): boolean {
  const [kind, name] = component.includes("/") ? component.split("/") : ["schemas", component];
  return objectOf(objectOf(document["components"])[kind ?? ""])[name ?? ""] !== undefined;
}
