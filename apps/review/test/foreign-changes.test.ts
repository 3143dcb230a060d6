import { expect, test } from "vitest";
import { compareDocuments } from "../src/compare/compare-documents.ts";
import type { JsonObject } from "../src/compare/json.ts";
import { groupChanges } from "../src/group-changes.ts";
import type { Draft } from "./support/document.ts";
import { foreignChanges } from "./support/foreign-changes.ts";
import { createShop } from "./support/shop.ts";

const letters: Readonly<Record<string, string>> = { breaking: "B", attention: "A", additive: "D", documentation: "O" };
const audiences: readonly [RegExp, string][] = [
  [/^users of the client/, "client"],
  [/^readers of the document/, "documents"],
  [/^receivers/, "receivers"],
  [/./, "callers"],
];

test.each(foreignChanges)("%s", (_name, edit, verdicts) => {
  const shop = createShop();
  edit(shop);
  expect(judge(createShop(), shop)).toEqual(verdicts);
});

/** For each audience the verdicts, worst first and each once. */
function judge(base: Draft, head: Draft): Record<string, string> {
  const changes = compareDocuments({ "openapi.yaml": base as JsonObject }, { "openapi.yaml": head as JsonObject });
  const told: Record<string, string> = {};
  for (const { audience, severity } of groupChanges(changes)) {
    for (const one of audience) {
      const who = audiences.find(([pattern]) => pattern.test(one))?.[1] ?? "";
      const letter = letters[severity] ?? "";
      told[who] = (told[who] ?? "").includes(letter) ? (told[who] ?? "") : (told[who] ?? "") + letter;
    }
  }
  return told;
}
