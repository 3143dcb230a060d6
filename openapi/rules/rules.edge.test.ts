import { beforeAll, describe, expect, test } from "vitest";
import plugin from "./plugin.ts";
import { lintCases, type Case } from "./testing/lint.ts";

/** A document that no rule may object to. */
const asItIs: Case = { name: "a description that keeps the rule", changes: [], says: null };

const casesOf = Object.fromEntries(
  await Promise.all(
    Object.keys(plugin().rules.oas3).map(async (rule): Promise<[string, Case[]]> => {
      // Each rule has such a file, and each such file exports this.
      const { cases } = (await import(`./${rule}.cases.ts`)) as { cases: readonly Case[] };
      return [rule, [asItIs, ...cases]];
    }),
  ),
);

let messages: Record<string, string[][]>;
beforeAll(async () => {
  messages = await lintCases(casesOf);
});

describe.each(Object.entries(casesOf))("gateway/%s", (rule, cases) => {
  test.each(cases.map((entry, index) => ({ ...entry, index, verdict: entry.says ? "refuses" : "accepts" })))(
    "$verdict $name",
    ({ index, says }) => {
      expect(messages[rule]?.[index]).toEqual(says === null ? [] : [says]);
    },
  );

  test("has a case that shows it failing", () => {
    expect(cases.some(({ says }) => says !== null)).toBe(true);
  });
});
