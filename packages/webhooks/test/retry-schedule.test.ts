import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maxAttempts, nextDelayMs } from "../src/index.ts";

const minuteMs = 60_000;
const table: [number, number | null][] = [
  [1, minuteMs],
  [2, 5 * minuteMs],
  [3, 30 * minuteMs],
  [4, 120 * minuteMs],
  [5, 720 * minuteMs],
  [6, null],
  [7, null],
];

test("there are six attempts", () => {
  expect(maxAttempts).toBe(6);
});

test.each(table)("after attempt %i at least %j ms", (attempt, leastMs) => {
  expect(nextDelayMs(attempt, { random: () => 0 })).toBe(leastMs);
});

test.each(table)("after attempt %i never early, and half of the 10 %% is left to the queue", (attempt, leastMs) => {
  expect(nextDelayMs(attempt, { random: () => 1 })).toBe(leastMs === null ? null : leastMs * 1.05);
});

test("whatever chance and scale say: whole, not early, at most 10 % late", () => {
  const attempts = fc.constantFrom(...table.slice(0, 5));
  const chance = fc.double({ min: 0, max: 1, noNaN: true });
  const scales = fc.double({ min: 0.5, max: 3_000, noNaN: true });
  const property = fc.property(attempts, chance, scales, ([attempt, leastMs], random, scale) => {
    const delayMs = nextDelayMs(attempt, { random: () => random, scale }) ?? 0;
    expect(Number.isInteger(delayMs)).toBe(true);
    expect(delayMs).toBeGreaterThanOrEqual((leastMs ?? 0) / scale);
    expect(delayMs).toBeLessThanOrEqual(((leastMs ?? 0) / scale) * 1.1);
  });
  fc.assert(property);
});

test("scale 60 makes a second of each minute", () => {
  expect(nextDelayMs(1, { random: () => 0, scale: 60 })).toBe(1_000);
});

test("delays differ, so that the retries of an outage do not come all at once", () => {
  expect(new Set(Array.from({ length: 50 }, () => nextDelayMs(1))).size).toBeGreaterThan(10);
});

describe("what cannot be is refused", () => {
  test.each([0, -1, 1.5, Number.NaN])("attempt %d", (attempt) => {
    expect(() => nextDelayMs(attempt)).toThrow(RangeError);
  });

  test.each([0, -1, Number.NaN, Infinity])("scale %d", (scale) => {
    expect(() => nextDelayMs(1, { scale })).toThrow(RangeError);
  });
});
