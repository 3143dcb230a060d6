import { expect, test } from "vitest";
import { compareDocuments } from "../src/compare/compare-documents.ts";
import type { Json, JsonObject } from "../src/compare/json.ts";
import type { Draft, DraftValue } from "./support/document.ts";
import { readOwnDocument } from "./support/own-document.ts";

/** Every 23rd: a comparison takes some 40 ms, and a prime walks through all kinds of places. */
const stride = 23;

test("no word, number or flag of the document changes without a line in the review", { timeout: 300_000 }, async () => {
  const own = await readOwnDocument();
  const leaves = listLeaves(own, []).filter((keys) => !isFreeToChange(keys));
  const sample = leaves.filter((_keys, index) => index % stride === 0);
  const unseen = sample.filter((keys) => {
    const edited = alter(own, keys);
    return compareDocuments({ "openapi.yaml": own }, { "openapi.yaml": edited }).length === 0;
  });
  expect(sample.length).toBeGreaterThan(50);
  expect(unseen.map((keys) => keys.join(" "))).toEqual([]);
});

/** A reference is followed, not compared. The words of a component are seen by nobody when each use has words of its own. */
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
  // A copy of JSON is nobody else's, so it may be changed.
  const draft = structuredClone(document) as Draft;
  let target: Draft = draft;
  for (const key of keys.slice(0, -1)) {
    target = target[key] as Draft;
  }
  const last = keys.at(-1) ?? "";
  // What was listed are leaves.
  target[last] = another(target[last] as string | number | boolean);
  return draft as JsonObject;
}

function another(value: string | number | boolean): DraftValue {
  if (typeof value === "boolean") {
    return !value;
  }
  return typeof value === "number" ? value + 1 : `${value}x`;
}
