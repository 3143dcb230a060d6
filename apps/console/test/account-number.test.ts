import { openapi } from "@gateway/contract";
import { expect, test } from "vitest";
import { accountNumberHints, writtenAccountNumber } from "../browser/data/counterparties.ts";

test.each([
  ["DE89 3704 0044 0532 0130 00", "DE89370400440532013000"],
  [" de89\u00a03704\u202f0044 0532\t0130 00\n", "DE89370400440532013000"],
  ["200000-55779911", "200000-55779911"],
])("an account number that is copied in groups is sent as it is written: %j", (typed, sent) => {
  expect(writtenAccountNumber(typed)).toBe(sent);
});

test("the example of each currency is one that the document takes", () => {
  const schema: { pattern?: string } = openapi().components?.schemas?.["AccountNumber"] ?? {};
  const pattern = new RegExp(schema.pattern ?? "nothing");
  for (const hint of Object.values(accountNumberHints)) {
    const [, example = ""] = /(?:as|:) (.*)\.$/.exec(hint) ?? [];
    expect(writtenAccountNumber(example), hint).toMatch(pattern);
  }
});
