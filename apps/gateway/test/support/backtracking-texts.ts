/** Long strings that match a pattern until they fail at their end, so that a bad pattern tries everything. */
export const backtrackingTexts: readonly [name: string, make: (length: number) => string][] = [
  ["one letter", (length) => `${"a".repeat(length)}!`],
  ["digits", (length) => `${"0".repeat(length)}!`],
  ["dots and dashes", (length) => `a${".-".repeat(length / 2)}!`],
  ["an id", (length) => `wal_${"0".repeat(length)}!`],
  ["a key", (length) => `gk_test_${"a".repeat(length)}_!`],
  ["keys in a row", (length) => "gk_test_aaaa".repeat(length / 12)],
  ["a time", (length) => `2026-01-01T00:00:00.${"0".repeat(length)}!`],
  ["times in a row", (length) => "2026-01-01T00:00:00Z".repeat(length / 20)],
  ["a content type", (length) => `application/json${" ".repeat(length)}!`],
  ["a content type with parameters", (length) => `application/json;${" ;charset=utf-8".repeat(length / 15)}!`],
  ["labels of a domain", (length) => `a@${"a-a.".repeat(length / 4)}!`],
  ["one label of a domain", (length) => `a@${"a-".repeat(length / 2)}!`],
  ["words", (length) => "Bearer ".repeat(length / 7)],
];
