import { expect, test } from "vitest";
import { hasKey, keysOf } from "../src/index.ts";

const table = { second: 2, first: 1 };

test("the keys of a record keep their order", () => {
  expect(keysOf(table)).toEqual(["second", "first"]);
});

test.each([
  ["first", true],
  ["third", false],
  ["toString", false],
  ["__proto__", false],
  ["", false],
])("%s is a key of the record: %s", (name, isKey) => {
  expect(hasKey(table, name)).toBe(isKey);
});
