import { beforeAll, describe, expect, test } from "vitest";
import { lintCases, type Case } from "./lint.ts";

/** Runs one house rule over its cases, and over the small document as it is, which no rule may object to. */
export function testRule(rule: string, cases: readonly Case[]): void {
  const all: Case[] = [{ name: "a description that keeps the rule", changes: [], says: null }, ...cases];
  describe(`gateway/${rule}`, () => {
    let messages: string[][];
    beforeAll(async () => {
      messages = await lintCases(rule, all);
    });
    test.each(all.map((entry, index) => ({ ...entry, index, verdict: entry.says ? "refuses" : "accepts" })))(
      "$verdict $name",
      ({ index, says }) => {
        expect(messages[index]).toEqual(says === null ? [] : [says]);
      },
    );
  });
}
