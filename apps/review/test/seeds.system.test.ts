import { beforeAll, describe, expect, test } from "vitest";
import { compareDocuments, type Documents } from "../src/compare/compare-documents.ts";
import { interfaceRules } from "../src/compare/interface-rules.ts";
import type { JsonObject } from "../src/compare/json.ts";
import { groupChanges } from "../src/group-changes.ts";
import { renderMarkdown } from "../src/render-markdown.ts";
import { accessSeeds } from "./seeds/access-seeds.ts";
import { documentSeeds } from "./seeds/document-seeds.ts";
import { eventSeeds } from "./seeds/event-seeds.ts";
import { operationSeeds } from "./seeds/operation-seeds.ts";
import { requestSeeds } from "./seeds/request-seeds.ts";
import { sameSeeds } from "./seeds/same-seeds.ts";
import { schemaSeeds } from "./seeds/schema-seeds.ts";
import { stateSeeds } from "./seeds/state-seeds.ts";
import type { Draft } from "./support/document.ts";
import { readOwnDocument } from "./support/own-document.ts";

const seeds = [...operationSeeds, ...requestSeeds, ...schemaSeeds, ...eventSeeds, ...accessSeeds];
const wholeSeeds = [...documentSeeds, ...stateSeeds];
let own: JsonObject;

beforeAll(async () => {
  own = await readOwnDocument();
});

describe("a change of our own document is judged, there and back, and nothing else is said", () => {
  // A template with missing values leaves a comma or a colon without text after it.
  const unfinished = /: ?(?:,|$)|, was ?(?:,|$|\()| {2}|only $/;

  test.each(seeds)("$name, and each line quotes what was and what is", ({ edit, says, back }) => {
    const edited = editOwn(edit);
    const there = compareAll({ "openapi.yaml": own }, { "openapi.yaml": edited });
    const andBack = compareAll({ "openapi.yaml": edited }, { "openapi.yaml": own });
    expect({ says: verdictsOf(there), back: verdictsOf(andBack) }).toEqual({
      says: says.toSorted(),
      back: back.toSorted(),
    });
    expect([...there, ...andBack].map(({ what }) => what).filter((what) => unfinished.test(what))).toEqual([]);
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

test("the comment of thirty changes is short", () => {
  const draft = structuredClone(own) as Draft;
  const made = [...operationSeeds, ...requestSeeds, ...schemaSeeds, ...eventSeeds]
    .filter(({ says }) => says.length > 0)
    .slice(8, 50);
  // An edit fails, and changes nothing, when an earlier one removed a part that it needs.
  made.forEach(({ edit }) => attempt(() => edit(draft)));
  const findings = compareAll({ "openapi.yaml": own }, { "openapi.yaml": draft as JsonObject });
  const open = findings.filter(({ severity }) => severity === "breaking");
  const report = renderMarkdown({
    ...{ base: "main", commit: "0123456789abcdef", findings, open },
    ...{ accepted: new Map(), idle: [], isBehind: false },
  });
  expect(findings.length).toBeGreaterThanOrEqual(30);
  expect(report.length).toBeLessThan(12_000);
});

test("every rule beside those of schemas has a seed", () => {
  const verdicts = [...seeds, ...wholeSeeds].flatMap(({ says, back }) => [...says, ...back]);
  const seeded = new Set(verdicts.map((verdict) => /^\w+ ([\w-]+):/.exec(verdict)?.[1]));
  expect(Object.keys(interfaceRules).filter((rule) => !seeded.has(rule))).toEqual([]);
});

function attempt(edit: () => void): void {
  try {
    edit();
  } catch {
    return;
  }
}

function editOwn(edit: (draft: Draft) => void): JsonObject {
  // The copy of the JSON is used only here, so it may be changed.
  const draft = structuredClone(own) as Draft;
  edit(draft);
  return draft as JsonObject;
}

function judge(base: JsonObject, head: JsonObject): string[] {
  return judgeAll({ "openapi.yaml": base }, { "openapi.yaml": head });
}

function judgeAll(base: Documents, head: Documents): string[] {
  return verdictsOf(compareAll(base, head));
}

function compareAll(base: Documents, head: Documents): ReturnType<typeof groupChanges> {
  return groupChanges(compareDocuments(base, head));
}

function verdictsOf(findings: ReturnType<typeof groupChanges>): string[] {
  return findings.map(({ id, severity }) => `${severity} ${id.split("~")[0]}`).sort();
}
