import { objectOf, type Json } from "../../src/compare/json.ts";

/** A document that a test may change. */
export type Draft = { [key: string]: DraftValue };
export type DraftValue = null | boolean | number | string | DraftValue[] | Draft;

/** The value at the keys, to be changed. Throws when it is missing, because a seed without effect shows nothing. */
export function at(draft: Draft, ...keys: (string | number)[]): Draft {
  let found: DraftValue | undefined = draft;
  for (const key of keys) {
    found = typeof found === "object" && found !== null ? (found as Draft)[key] : undefined;
  }
  if (typeof found !== "object" || found === null) {
    throw new Error(`The document has nothing at ${keys.join(" ")}.`);
  }
  // An array takes the same reads and writes, by its indexes.
  return found as Draft;
}

export function list(draft: Draft, ...keys: (string | number)[]): DraftValue[] {
  const found = at(draft, ...keys);
  if (!Array.isArray(found)) {
    throw new Error(`The document has no list at ${keys.join(" ")}.`);
  }
  return found;
}

export function schema(draft: Draft, name: string): Draft {
  return at(draft, "components", "schemas", name);
}

export function field(draft: Draft, name: string, property: string): Draft {
  return at(schema(draft, name), "properties", property);
}

export function operation(draft: Draft, id: string): Draft {
  const items = Object.values(objectOf(draft["paths"] as Json)) as Draft[];
  const found = items.flatMap((item) => Object.values(item)).find((one) => isOperation(one, id));
  if (!found) {
    throw new Error(`The document has no operation ${id}.`);
  }
  return found as Draft;
}

export function event(draft: Draft, type: string): Draft {
  return at(draft, "webhooks", type, "post");
}

export function remove(draft: Draft, key: string): void {
  if (!(key in draft)) {
    throw new Error(`There is no ${key} to remove.`);
  }
  delete draft[key];
}

/** Takes a value out of a list. */
export function drop(values: DraftValue[], value: DraftValue): void {
  const index = values.findIndex((one) => JSON.stringify(one) === JSON.stringify(value));
  if (index < 0) {
    throw new Error(`The list has no ${JSON.stringify(value)}.`);
  }
  values.splice(index, 1);
}

function isOperation(value: DraftValue, id: string): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && value["operationId"] === id;
}

/** Replaces every string that equals `from` by `to`. */
export function replaceEverywhere(value: DraftValue, from: string, to: string): void {
  if (typeof value !== "object" || value === null) {
    return;
  }
  const draft = value as Draft;
  for (const [key, one] of Object.entries(draft)) {
    if (one === from) {
      draft[key] = to;
    } else {
      replaceEverywhere(one, from, to);
    }
  }
}

/** Replaces every reference to a component by its target. Keywords next to the reference stay. */
export function replaceReferences(value: DraftValue, reference: string, target: Draft): void {
  if (typeof value !== "object" || value === null) {
    return;
  }
  const draft = value as Draft;
  Object.values(draft).forEach((one) => replaceReferences(one, reference, target));
  if (draft["$ref"] === reference) {
    const beside = { ...draft };
    remove(draft, "$ref");
    Object.assign(draft, structuredClone(target), beside);
    remove(draft, "$ref");
  }
}
