import { expect, test } from "vitest";
import { isFutureTime, parseTimestamp } from "../src/index.ts";

test.each([
  ["2026-03-09T11:47:03.550Z", "2026-03-09T11:47:03.550Z"],
  ["2026-03-09t11:47:03z", "2026-03-09T11:47:03.000Z"],
  ["2026-03-09 11:47:03.1239999Z", "2026-03-09T11:47:03.123Z"],
  ["2026-03-09T11:47:03+05:30", "2026-03-09T06:17:03.000Z"],
  ["2026-03-09T11:47:03-0530", "2026-03-09T17:17:03.000Z"],
  ["2026-03-09T11:47:03+05", "2026-03-09T06:47:03.000Z"],
  ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
  ["2016-12-31T23:59:60.250Z", "2017-01-01T00:00:00.250Z"],
  ["2016-12-31T15:59:60-08", "2017-01-01T00:00:00.000Z"],
])("%s is %s", (text, moment) => {
  expect(parseTimestamp(text).toISOString()).toBe(moment);
});

test.each([
  ["9999-12-31T23:59:59.999Z", true],
  ["9999-12-31T23:59:59-00:01", false],
  ["2026-03-09T11:47:03.550Z", false],
  ["2026-03-09T11:47:03.551Z", true],
])("%s is a time in the future that has a year of four digits: %s", (text, isOne) => {
  expect(isFutureTime(parseTimestamp(text), Date.parse("2026-03-09T11:47:03.550Z"))).toBe(isOne);
});
