import { beforeAll, describe, expect, test } from "vitest";
import { compareDocuments, type Documents } from "../src/compare/compare-documents.ts";
import { interfaceRules } from "../src/compare/interface-rules.ts";
import type { JsonObject } from "../src/compare/json.ts";
import { groupChanges } from "../src/group-changes.ts";
import { accessSeeds } from "./seeds/access-seeds.ts";
import { documentSeeds } from "./seeds/document-seeds.ts";
import { eventSeeds } from "./seeds/event-seeds.ts";
import { operationSeeds } from "./seeds/operation-seeds.ts";
import { sameSeeds } from "./seeds/same-seeds.ts";
import { schemaSeeds } from "./seeds/schema-seeds.ts";
import { stateSeeds } from "./seeds/state-seeds.ts";
import type { Draft } from "./support/document.ts";
import { readOwnDocument } from "./support/own-document.ts";

const seeds = [...operationSeeds, ...schemaSeeds, ...eventSeeds, ...accessSeeds];
const wholeSeeds = [...documentSeeds, ...stateSeeds];
let own: JsonObject;

beforeAll(async () => {
  own = await readOwnDocument();
});

describe("a change of our own document is judged, there and back, and nothing else is said", () => {
  test.each(seeds)("$name", ({ edit, says, back }) => {
    const edited = editOwn(edit);
    expect({ says: judge(own, edited), back: judge(edited, own) }).toEqual({
      says: says.toSorted(),
      back: back.toSorted(),
    });
  });
});

describe("another way to write the same is no change", () => {
  test.each(sameSeeds)("$name", ({ edit }) => {
    const edited = editOwn(edit);
    expect([...judge(own, edited), ...judge(edited, own)]).toEqual([]);
  });
});

describe("whole documents, scopes and states are judged, there and back", () => {
  test.each(wholeSeeds)("$name", ({ base, head, says, back }) => {
    expect({ says: judgeAll(base, head), back: judgeAll(head, base) }).toEqual({
      says: says.toSorted(),
      back: back.toSorted(),
    });
  });
});

describe("each line quotes what was and what is", () => {
  test.each(seeds)("$name", ({ edit }) => {
    const edited = editOwn(edit);
    const documents = [{ "openapi.yaml": own }, { "openapi.yaml": edited }] as const;
    const findings = [
      ...groupChanges(compareDocuments(documents[0], documents[1])),
      ...groupChanges(compareDocuments(documents[1], documents[0])),
    ];
    // A template whose values are missing leaves its comma or its colon with nothing behind it.
    expect(
      findings.map(({ what }) => what).filter((what) => /: ?(?:,|$)|, was ?(?:,|$|\()| {2}|only $/.test(what)),
    ).toEqual([]);
  });
});

test("every rule beside those of schemas has a seed", () => {
  const verdicts = [...seeds, ...wholeSeeds].flatMap(({ says, back }) => [...says, ...back]);
  const seeded = new Set(verdicts.map((verdict) => /^\w+ ([\w-]+):/.exec(verdict)?.[1]));
  expect(Object.keys(interfaceRules).filter((rule) => !seeded.has(rule))).toEqual([]);
});

function editOwn(edit: (draft: Draft) => void): JsonObject {
  // A copy of JSON is nobody else's, so it may be changed.
  const draft = structuredClone(own) as Draft;
  edit(draft);
  return draft as JsonObject;
}

function judge(base: JsonObject, head: JsonObject): string[] {
  return judgeAll({ "openapi.yaml": base }, { "openapi.yaml": head });
}

function judgeAll(base: Documents, head: Documents): string[] {
  return groupChanges(compareDocuments(base, head))
    .map(({ id, severity }) => `${severity} ${id.split("~")[0]}`)
    .sort();
}
