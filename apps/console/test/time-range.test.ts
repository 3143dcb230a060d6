import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countedFiltersOf, queryOfLog } from "../browser/data/log-filters.ts";
import { lengthOf, relativeRanges } from "../browser/data/ranges.ts";
import { queryOfRange, readTimeRange } from "../browser/data/time-range.ts";
import { bucketsOf, mostBars, stepOf } from "../browser/data/usage-buckets.ts";

/** Fixed, so that a gate never fails by chance. */
const seed = 20_260_309;

const now = Date.parse("2026-03-09T13:37:41.250Z");
const iso = (ms: number): string => new Date(ms).toISOString();

describe("the time of an address", () => {
  test.each([
    ["15m", "2026-03-09T13:23:00.000Z"],
    ["1h", "2026-03-09T12:38:00.000Z"],
    ["6h", "2026-03-09T07:40:00.000Z"],
    ["24h", "2026-03-08T14:00:00.000Z"],
    ["7d", "2026-03-02T15:00:00.000Z"],
    ["30d", "2026-02-08T00:00:00.000Z"],
  ])("%s is of whole bars, and stays open at its end", (range, since) => {
    const read = readTimeRange({ range }, now);
    expect(queryOfRange(read)).toEqual({ since });
    expect(read.relative).toBe(range);
  });

  test.each(["", "h", "0h", "1y", "-1h", "9999h", "1h; drop", undefined])("%s says nothing: the usual one", (range) => {
    expect(readTimeRange({ range }, now)).toEqual(readTimeRange({ range: "24h" }, now));
  });

  test("two moments win over a length, and are asked as they are", () => {
    const [since, until] = ["2026-03-01T00:00:01.000Z", "2026-03-02T00:00:00.000Z"];
    expect(queryOfRange(readTimeRange({ range: "1h", since, until }, now))).toEqual({ since, until });
  });

  test("one moment has the other from the length, or now", () => {
    expect(readTimeRange({ since: iso(now - 5000) }, now)).toMatchObject({ untilMs: now + 55_000, relative: null });
    expect(readTimeRange({ since: iso(now - 500_000) }, now)).toMatchObject({ untilMs: now });
    expect(readTimeRange({ range: "1h", until: iso(now) }, now)).toMatchObject({ sinceMs: now - 3_600_000 });
  });

  test("whatever stands in the address, it is a time that begins before it ends", () => {
    const text = fc.oneof(fc.string(), fc.integer({ min: 0, max: 2 * now }).map(iso), fc.constant(undefined));
    fc.assert(
      fc.property(text, text, text, (range, since, until) => {
        const read = readTimeRange({ range, since, until }, now);
        expect(read.sinceMs).toBeLessThan(read.untilMs);
      }),
      { seed },
    );
  });

  test("each that is offered has bars, at most a hundred, and list and chart begin together", () => {
    const nows = fc.integer({ min: now, max: now + 400 * 86_400_000 });
    fc.assert(
      fc.property(nows, fc.constantFrom(...relativeRanges), (nowMs, { value }) => {
        const range = readTimeRange({ range: value }, nowMs);
        const step = stepOf(range, nowMs);
        expect(step, value).not.toBeNull();
        const buckets = bucketsOf(range, step?.stepMs ?? 1, []);
        expect(buckets.length).toBeLessThanOrEqual(mostBars);
        expect(buckets[0]?.fromMs).toBe(range.sinceMs);
        expect(buckets.at(-1)?.toMs).toBeGreaterThan(nowMs);
        // Not more than was asked for, and less by at most the bar that has only begun.
        const length = lengthOf(value) ?? 0;
        expect(nowMs - range.sinceMs).toBeLessThanOrEqual(length);
        expect(nowMs - range.sinceMs).toBeGreaterThan(length - (step?.stepMs ?? 0) - 1);
      }),
      { seed },
    );
  });
});

describe("what the log is asked", () => {
  test("by default what programs did, of the usual time", () => {
    expect(queryOfLog({}, now)).toMatchObject({ source: "api", since: "2026-03-08T14:00:00.000Z" });
    expect(queryOfLog({ console: "1" }, now)["source"]).toBeUndefined();
  });

  test("each filter under the name of the operation, and nothing else of the address", () => {
    const state = { operationId: "createPayment", status: "4xx", open: "req_1", view: "requests", evil: "x" };
    const query = queryOfLog(state, now);
    expect(query).toMatchObject({ operationId: "createPayment", status: "4xx" });
    expect(query).not.toHaveProperty("open");
    expect(query).not.toHaveProperty("evil");
  });

  test("has a chart of its own where the usage is counted by all of it", () => {
    expect(countedFiltersOf({ apiKeyId: "key_1", status: "4xx" })).toEqual({ caller: "key_1", status: "4xx" });
    expect(countedFiltersOf({ method: "POST" })).toBeNull();
    expect(countedFiltersOf({ minDurationMs: "5" })).toBeNull();
    expect(countedFiltersOf({ apiKeyId: "key_1", applicationId: "app_1" })).toBeNull();
  });
});
