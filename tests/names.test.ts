import { describe, expect, test } from "vitest";
import { workspaceOf } from "./support/imports.ts";
import { readSourceFiles, type SourceFile } from "./support/source-files.ts";

/**
 * No other workspace uses their types, so each of them may have its own name for the data that it reads or publishes.
 */
const alone: readonly string[] = ["apps/docs", "apps/review", "packages/client"];

/** Words that express a mood of the author and do not name the contents. */
const moods = /^(?:Surroundings|Believing|Belongings|Needs|Place|Base|Stuff|Things|Everything|Misc|Helpers?|Utils?)$/;

const declaration =
  /^export (?:abstract )?(?:(?:type|interface|class) (?<type>\w+)|(?:async )?(?:function|const) (?<factory>create\w+))/gm;
const anyType = /^(?:export )?(?:type|interface) (?<name>\w+)/gm;

/** Every exported type and factory that is declared more than once, with the files. */
function findDoubles(files: readonly SourceFile[]): Record<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { path, text } of files) {
    const world = alone.includes(workspaceOf(path)) ? `${workspaceOf(path)} ` : "";
    for (const { groups } of text.matchAll(declaration)) {
      const name = `${world}${groups?.["type"] ?? groups?.["factory"]}`;
      found.set(name, [...(found.get(name) ?? []), path]);
    }
  }
  return Object.fromEntries([...found].filter(([, paths]) => paths.length > 1));
}

const files = readSourceFiles().filter(
  ({ path }) => /^(?:apps|packages)\/\w+\/src\//.test(path) && !path.includes("/generated/"),
);

test("an exported type or factory is declared once: one name, one thing", () => {
  expect(findDoubles(files)).toEqual({});
});

describe("a second declaration is found", () => {
  test.each([
    ["export interface SigningKeys {", "SigningKeys"],
    ["export type SigningKeys = {", "SigningKeys"],
    ["export class SigningKeys {", "SigningKeys"],
    ["export function createSigningKeys(", "createSigningKeys"],
    ["export const createSigningKeys = (", "createSigningKeys"],
  ])("%s", (text, name) => {
    const second = { path: "apps/gateway/src/credentials/signing-keys.ts", text };
    expect(Object.keys(findDoubles([...files, second]))).toContain(name);
  });
});

test("no type is named after a mood: a name says what is held", () => {
  const named = files.flatMap(({ path, text }) =>
    Array.from(text.matchAll(anyType), ({ groups }) => groups?.["name"] ?? "")
      .filter((name) => moods.test(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(named).toEqual([]);
});
