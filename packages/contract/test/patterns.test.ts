import { describe, expect, test } from "vitest";
import auth from "../src/generated/auth.json" with { type: "json" };
import document from "../src/generated/openapi.json" with { type: "json" };
import { collectPatterns } from "./support/collect-patterns.ts";
import { findAmbiguity } from "./support/find-ambiguity.ts";

const patterns = [...new Set([document, auth].flatMap(collectPatterns))];

test("the documents have patterns", () => {
  expect(patterns.length).toBeGreaterThan(60);
});

test.each(patterns)("%s is anchored, so it judges the whole text", (pattern) => {
  expect(pattern).toMatch(/^\^.*\$$/);
});

test.each(patterns)("%s costs a bounded amount of work for each character of any text", (pattern) => {
  expect(findAmbiguity(pattern)).toBeNull();
});

describe("a pattern that hostile text could keep busy is found", () => {
  test.each([
    ["a repetition of a repetition", "^(?:a+)+$"],
    ["a repetition of an optional part", "^(?:a?)*$"],
    ["an optional part inside", "^(?:ab?c?)*(?:a?b?c)*$"],
    ["branches that begin alike", "^(?:a|a)*$"],
    ["branches of which one is twice the other", "^(?:a|aa)+$"],
    ["two branches that may be empty", "^(?:(?:a?|b?)c)*$"],
    ["repetitions side by side", "^a*a*$"],
    ["repetitions side by side, apart by what they both read", "^[0-9,]+(?:,[0-9]+)+$"],
    ["repetitions with something optional between them", "^a+b?a+$"],
    ["classes that overlap in one character", "^[a-m]+[m-z]+$"],
    ["labels that may hold what divides them", "^(?:[a-z-]+-)+$"],
    ["counted repetitions of one another", "^(?:a{1,3}){1,}$"],
    ["a negated class and what it does not exclude", "^[^,]*;[^,]*;[^,]*$"],
  ])("%s: %s", (_, pattern) => {
    expect(findAmbiguity(pattern)).not.toBeNull();
  });
});

test.each([
  ["a lookahead", "^(?=a)a$"],
  ["a reference back", "^(a)\\1$"],
  ["a word boundary", "^a\\b$"],
  ["a property of characters", "^\\p{L}$"],
  ["no anchor", "a+$"],
])("syntax whose cost is not proved is refused: %s", (_, pattern) => {
  expect(() => findAmbiguity(pattern)).toThrow(/syntax|unexpected|anchored/);
});

test.each(["^a+$", "^(?:a+,)*a+$", "^a*b*a$", "^(?:ab?)*$", "^[a-f]+[g-z]+$", "^(?:0|[1-9]\\d*)$", "^a{0,9}a$"])(
  "a harmless pattern is not blamed: %s",
  (pattern) => {
    expect(findAmbiguity(pattern)).toBeNull();
  },
);
