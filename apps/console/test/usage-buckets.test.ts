import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bucketText } from "../browser/chart/bucket-text.ts";
import {
  bucketsOf,
  chooseSeries,
  failureGroupsOf,
  groupingOf,
  linesOfOutcome,
  mostOf,
  shareText,
  stepOf,
  totalsOf,
  type UsageSeries,
  linesOfUsage,
} from "../browser/data/usage-buckets.ts";

/** Fixed, so that a gate never fails by chance. */
const seed = 20_260_309;

const start = Date.parse("2026-03-09T10:00:00.000Z");
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const iso = (ms: number): string => new Date(ms).toISOString();

function series(group: UsageSeries["group"], counts: readonly [count: number, errors: number][]): UsageSeries {
  const points = counts.map(([count, errors], place) => ({ at: iso(start + place * hourMs), count, errors }));
  const sum = totalsOf(points);
  return { group, ...sum, p50Ms: 1, p95Ms: 2, lastRequestId: "req_01kk96qp2wf1et8r0m3c6k9d4a", points };
}

const point = fc.record({ at: fc.integer({ min: 0, max: 299 }), count: fc.integer({ min: 1, max: 1e6 }) });
const somePoints = fc
  .array(point, { maxLength: 60 })
  .map((all) => all.map(({ at, count }) => ({ at: iso(start + at * minuteMs), count })));

describe("the bars of a chart", () => {
  test("have every request of the time, each in the bar that it came in, and none twice", () => {
    fc.assert(
      fc.property(somePoints, somePoints, fc.constantFrom(1, 5, 15, 60), (first, second, minutes) => {
        const lines = [
          { key: "a", label: "a", points: first },
          { key: "b", label: "b", points: second },
        ];
        const buckets = bucketsOf({ sinceMs: start, untilMs: start + 300 * minuteMs }, minutes * minuteMs, lines);
        const sum = (all: readonly { count: number }[]): number => all.reduce((total, { count }) => total + count, 0);
        expect(buckets.reduce((total, bucket) => total + bucket.total, 0)).toBe(sum(first) + sum(second));
        for (const { fromMs, toMs, counts } of buckets) {
          const own = first.filter(({ at }) => Date.parse(at) >= fromMs && Date.parse(at) < toMs);
          expect(counts["a"] ?? 0).toBe(sum(own));
        }
      }),
      { seed },
    );
  });

  test("follow one another without a hole, and hold the whole time", () => {
    const moments = fc.tuple(fc.integer({ min: start, max: start + 1e9 }), fc.integer({ min: 1, max: 1e8 }));
    fc.assert(
      fc.property(moments, fc.constantFrom(5, 60, 180), ([sinceMs, length], minutes) => {
        const buckets = bucketsOf({ sinceMs, untilMs: sinceMs + length }, minutes * minuteMs, []);
        expect(buckets[0]?.fromMs).toBeLessThanOrEqual(sinceMs);
        expect(buckets.at(-1)?.toMs).toBeGreaterThanOrEqual(sinceMs + length);
        expect(buckets.every(({ fromMs }, place) => place === 0 || fromMs === buckets[place - 1]?.toMs)).toBe(true);
      }),
      { seed },
    );
  });

  test("are hatched where requests may be missing, at both edges to the millisecond", () => {
    const gap = { from: iso(start + hourMs), to: iso(start + 2 * hourMs), count: null };
    const marked = (gaps: (typeof gap)[]): boolean[] =>
      bucketsOf({ sinceMs: start, untilMs: start + 4 * hourMs }, hourMs, [], gaps).map(({ hasGap }) => hasGap);
    expect(marked([gap])).toEqual([false, true, false, false]);
    expect(marked([{ ...gap, to: iso(start + 2 * hourMs + 1) }])).toEqual([false, true, true, false]);
    expect(marked([{ ...gap, from: iso(start + hourMs - 1) }])).toEqual([true, true, false, false]);
    expect(marked([])).toEqual([false, false, false, false]);
  });

  test("say in words what they show", () => {
    const gap = { from: iso(start), to: iso(start + 1), count: 3 };
    const lines = linesOfOutcome([series(null, [[41, 2]])]);
    const [bucket] = bucketsOf({ sinceMs: start, untilMs: start + hourMs }, hourMs, lines, [gap]);
    expect(bucketText(bucket, { lines, zone: "utc" })).toBe(
      "10:00 · 41 requests · Errors 2 · Answered 39 · some may be missing",
    );
  });

  test.each([
    ["15 minutes", 15 * minuteMs, null, { stepMs: minuteMs, interval: "minute" }],
    ["6 hours", 6 * hourMs, null, { stepMs: 5 * minuteMs, interval: "minute" }],
    ["24 hours by the minute", 24 * hourMs, "minute", { stepMs: 15 * minuteMs, interval: "minute" }],
    ["more than 24 hours by the minute", 24 * hourMs + 1, "minute", null],
    ["31 days by the hour", 31 * 24 * hourMs, "hour", { stepMs: 12 * hourMs, interval: "hour" }],
    ["more than 31 days by the hour", 31 * 24 * hourMs + 1, "hour", null],
    ["100 days", 100 * 24 * hourMs, null, { stepMs: 24 * hourMs, interval: "day" }],
    ["more than 100 days", 100 * 24 * hourMs + 1, null, null],
  ] as const)("%s: as the operation counts", (_, length, wanted, step) => {
    expect(stepOf({ sinceMs: start - length, untilMs: start }, start, wanted)).toEqual(step);
  });

  test("minutes are kept for 48 hours: older ones are counted by the hour", () => {
    const ago = (ms: number) => stepOf({ sinceMs: start - ms, untilMs: start - ms + hourMs }, start);
    expect(ago(48 * hourMs)?.interval).toBe("minute");
    expect(ago(48 * hourMs + 1)?.interval).toBe("hour");
  });
});

describe("series of the usage", () => {
  const wallets = series({ operation: "listWallets", status: "200" }, [[10, 0]]);
  const refused = series({ operation: "listWallets", status: "429" }, [[4, 4]]);
  const missing = series({ operation: "getWallet", status: "404" }, [[2, 2]]);
  const rest = series(null, [[3, 1]]);

  test("are chosen as the log is filtered", () => {
    const all = [wallets, refused, missing];
    expect(chooseSeries(all, { status: "4xx" }).chosen).toEqual([refused, missing]);
    expect(chooseSeries(all, { status: "404" }).chosen).toEqual([missing]);
    expect(chooseSeries(all, { operation: "listWallets", status: "200" })).toEqual({
      chosen: [wallets],
      isWhole: true,
    });
    expect(chooseSeries(all, {}).chosen).toEqual(all);
  });

  test("of small groups may hide more of what is filtered: then it is said", () => {
    expect(chooseSeries([wallets, rest], { operation: "listWallets" })).toEqual({ chosen: [wallets], isWhole: false });
    expect(chooseSeries([wallets, rest], {})).toEqual({ chosen: [wallets, rest], isWhole: true });
  });

  test("are asked by at most two things", () => {
    expect(groupingOf({})).toBe("");
    expect(groupingOf({ code: "NOT_FOUND", caller: "key_1" })).toBe("code,caller");
    expect(groupingOf({ code: "NOT_FOUND", caller: "key_1", status: "4xx" })).toBeNull();
  });

  test("of errors are grouped by code and operation, most first, without what went well", () => {
    const groups = failureGroupsOf(
      [
        series({ operation: "listWallets", code: null }, [[10, 0]]),
        series({ operation: "getWallet", code: "NOT_FOUND" }, [[2, 2]]),
        series({ operation: "createPayment", code: "INVALID_REQUEST" }, [[9, 9]]),
        series({ operation: null, code: "NOT_FOUND" }, [[2, 2]]),
        rest,
      ],
      {},
    );
    expect(groups.map(({ code, operation, count }) => [code, operation, count])).toEqual([
      ["INVALID_REQUEST", "createPayment", 9],
      ["NOT_FOUND", "getWallet", 2],
      ["NOT_FOUND", null, 2],
    ]);
    expect(failureGroupsOf([missing, refused], { operation: "getWallet" })).toHaveLength(1);
  });

  test("beyond those that have a colour are one, and nothing is lost", () => {
    fc.assert(
      fc.property(fc.array(somePoints, { maxLength: 20 }), fc.integer({ min: 1, max: 9 }), (all, most) => {
        const lines = all.map((points, place) => ({ key: String(place), label: String(place), points }));
        const kept = mostOf(lines, most);
        expect(kept.length).toBeLessThanOrEqual(most + 1);
        expect(kept.flatMap(({ points }) => points)).toEqual(all.flat());
      }),
      { seed },
    );
  });

  test("have what the limit refused hatched, never more than there is", () => {
    const byOperation = [series({ operation: "listWallets" }, [[14, 4]]), series({ operation: "getWallet" }, [[2, 2]])];
    const [lines, other] = linesOfUsage(byOperation, {
      by: "operation",
      refused: [wallets, refused, missing],
      names: new Map(),
    });
    const [bucket] = bucketsOf(
      { sinceMs: start, untilMs: start + hourMs },
      hourMs,
      [lines, other].flatMap((one) => one ?? []),
    );
    expect(bucket?.hatched).toEqual({ "operation:listWallets": 4 });
    expect(bucket?.counts).toEqual({ "operation:listWallets": 14, "operation:getWallet": 2 });
  });

  test("by status hatch 429 whole, and by code what has its code", () => {
    const by = (name: "status" | "code", value: string) =>
      linesOfUsage([series({ [name]: value }, [[4, 4]])], { by: name, refused: null, names: new Map() })[0]?.hatched;
    expect(by("status", "429")).toHaveLength(1);
    expect(by("status", "404")).toHaveLength(0);
    expect(by("code", "RATE_LIMITED")).toHaveLength(1);
  });
});

test.each([
  [0, 0, "0 %"],
  [0, 5, "0 %"],
  [1, 100_000, "< 0.1 %"],
  [12, 1000, "1.2 %"],
  [99_999, 100_000, "> 99.9 %"],
  [7, 7, "100 %"],
])("%d of %d are %s", (part, whole, text) => {
  expect(shareText(part, whole)).toBe(text);
});
