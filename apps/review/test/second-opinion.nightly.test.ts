import { createTestFolder } from "@gateway/testkit";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { compareDocuments } from "../src/compare/compare-documents.ts";
import type { JsonObject } from "../src/compare/json.ts";
import { groupChanges } from "../src/group-changes.ts";
import { foreignChanges } from "./support/foreign-changes.ts";
import { createShop } from "./support/shop.ts";

const redocly = join(import.meta.dirname, "../../../node_modules/@redocly/cli/bin/cli.js");

/**
 * Changes that `redocly diff` calls major and we call less than breaking, each with the reason why we keep our verdict.
 */
const weSayLess: Readonly<Record<string, string>> = {
  "a value added to a closed list of an answer": "needs attention: who passes the value on is not broken",
  "a value added to an open list": "the list is marked as one that grows",
  "an open list replaced": "readers of a list that grows take any value",
  "an answer's limit raised": "needs attention: who stores the value may have too little room",
  "int64 within int32's bounds becomes int32": "the values stay the same",
  "int32 becomes int64 in a header": "needs attention: a wider value is not read wrongly by most",
  "unevaluatedProperties in the place of additionalProperties": "it takes the same values",
  "anyOf becomes oneOf where the types tell apart": "it takes the same values",
  "allOf around a reference": "it takes the same values",
  "another operationId": "needs attention: the methods of the client are named by x-client",
  "explode of a single value": "it is written the same way",
  "a parameter that takes reserved characters": "encoded characters are still taken",
  "a media type with its charset": "it is the same media type",
  "an error status removed": "nobody is refused with it any more",
  "a server with a slash at its end": "it is the same address",
  "the key's header in other letters": "names of headers have no case",
  "a security scheme renamed": "callers send the same credential",
};

test(
  "where redocly diff says major, so do we, or the reason is known",
  async () => {
    const folder = await createTestFolder();
    const base = join(folder, "base.json");
    await writeFile(base, JSON.stringify(createShop()));
    const differing: string[] = [];
    for (const [name, edit] of foreignChanges) {
      const shop = createShop();
      edit(shop);
      const head = join(folder, "head.json");
      await writeFile(head, JSON.stringify(shop));
      const changes = compareDocuments(
        { "openapi.yaml": createShop() as JsonObject },
        { "openapi.yaml": shop as JsonObject },
      );
      if (
        (await countMajor(base, head)) > 0 &&
        !groupChanges(changes).some(({ severity }) => severity === "breaking")
      ) {
        differing.push(name);
      }
    }
    expect(differing.toSorted()).toEqual(Object.keys(weSayLess).toSorted());
  },
  foreignChanges.length * 20_000,
);

async function countMajor(base: string, head: string): Promise<number> {
  const run = ["diff", base, head, "--format", "json", "--fail-on", "none"];
  const { stdout } = await promisify(execFile)(process.execPath, [redocly, ...run], { maxBuffer: 64 << 20 });
  return (JSON.parse(stdout) as { summary: { major: number } }).summary.major;
}
