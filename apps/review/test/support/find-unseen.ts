import { compareDocuments } from "../../src/compare/compare-documents.ts";
import type { Json, JsonObject } from "../../src/compare/json.ts";
import type { Draft, DraftValue } from "./document.ts";
import { readOwnDocument } from "./own-document.ts";

/** The number of changes tried, and the places whose change the review did not see. */
export type Unseen = { tried: number; unseen: string[] };

/** Changes one word, number or flag of our document at a time, at each `stride`th place after `offset`. */
export async function findUnseen({ stride, offset }: { stride: number; offset: number }): Promise<Unseen> {
  const own = await readOwnDocument();
  const leaves = listLeaves(own, []).filter((keys) => !isFreeToChange(keys));
  const sample = leaves.filter((_keys, index) => index % stride === offset % stride);
  const unseen = sample.filter(
    (keys) => compareDocuments({ "openapi.yaml": own }, { "openapi.yaml": alter(own, keys) }).length === 0,
  );
  return { tried: sample.length, unseen: unseen.map((keys) => keys.join(" ")) };
}

/** A reference is followed, not compared; a component's words are unseen when each use has its own. */
function isFreeToChange(keys: readonly string[]): boolean {
  return keys.at(-1) === "$ref" || /^components,schemas,\w+,description$/.test(keys.join());
}

function listLeaves(value: Json, keys: readonly string[]): (readonly string[])[] {
  if (typeof value !== "object" || value === null) {
    return value === null ? [] : [keys];
  }
  return Object.entries(value).flatMap(([key, one]: [string, Json]) => listLeaves(one, [...keys, key]));
}

function alter(document: JsonObject, keys: readonly string[]): JsonObject {
  // The copy of the JSON is used only here, so it may be changed.
  const draft = structuredClone(document) as Draft;
  let target: Draft = draft;
  for (const key of keys.slice(0, -1)) {
    target = target[key] as Draft;
  }
  const last = keys.at(-1) ?? "";
  // Only the places of leaves were listed.
  target[last] = another(target[last] as string | number | boolean);
  return draft as JsonObject;
}

function another(value: string | number | boolean): DraftValue {
  if (typeof value === "boolean") {
    return !value;
  }
  return typeof value === "number" ? value + 1 : `${value}x`;
}
