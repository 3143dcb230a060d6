import { describe, expect, onTestFinished, test, vi } from "vitest";
import { TypeID } from "typeid-js";
import { createTypeId, createTypeIds, createRequestIds, idPattern, startOfIds, timeOfId } from "../src/index.ts";

describe("ids", () => {
  test("of stored things sort by the order they were made in, also within a millisecond", () => {
    const ids = Array.from({ length: 5000 }, () => createTypeId("wal"));
    expect(ids).toEqual(ids.toSorted());
  });

  test("of one maker sort by the order they were made in, whatever their prefix, while the clock stands still or is corrected a little", () => {
    let nowMs = Date.UTC(2026, 0, 1);
    const createId = createTypeIds({ now: () => nowMs });
    const ids = Array.from({ length: 20_000 }, (_, index) => {
      nowMs = Date.UTC(2026, 0, 1) + (index < 10_000 ? 0 : index % 7);
      return createId(index % 2 === 0 ? "wal" : "evt");
    });
    const suffixes = ids.map((id) => id.slice(4));
    expect(new Set(suffixes).size).toBe(ids.length);
    expect(suffixes).toEqual(suffixes.toSorted());
  });

  test("of stored things hold the time of the clock, also after it was set back", () => {
    const clock = { now: () => Date.UTC(2030, 0, 1) };
    const createId = createTypeIds(clock);
    for (const nowMs of [Date.UTC(2030, 0, 1), Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1) + 1]) {
      clock.now = () => nowMs;
      const id = createId("wal");
      expect(id).toMatch(idPattern("wal"));
      expect(timeOf(id)).toBe(nowMs);
      expect(TypeID.fromString(id, "wal").toUUID()).toMatch(version7);
    }
  });

  test.each([1, Date.UTC(1970, 0, 2), Date.UTC(2026, 10, 26), Date.UTC(2026, 10, 26) + 1, 2 ** 48 - 1])(
    "of before and from %i ms on lie on either side of the start of ids",
    (nowMs) => {
      const start = startOfIds("evt", nowMs);
      expect(timeOfId(start)).toBe(nowMs);
      const last = createTypeIds({ now: () => nowMs - 1 })("evt");
      const first = createTypeIds({ now: () => nowMs })("evt");
      expect([first, start, last].toSorted()).toEqual([last, start, first]);
      expect([timeOfId(last), timeOfId(first)]).toEqual([nowMs - 1, nowMs]);
    },
  );

  test("of requests are TypeIDs: a UUID of version 7 with the time it was made at", () => {
    const nowMs = Date.UTC(2026, 10, 27);
    vi.useFakeTimers({ toFake: ["Date"], now: nowMs });
    onTestFinished(() => void vi.useRealTimers());
    const ids = Array.from({ length: 1000 }, createRequestIds());
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) {
      expect(id).toMatch(idPattern("req"));
      const uuid = TypeID.fromString(id, "req").toUUID();
      expect(uuid).toMatch(version7);
      expect(timeOf(id)).toBe(nowMs);
    }
  });
});

const version7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function timeOf(id: string): number {
  return Number.parseInt(TypeID.fromString(id).toUUID().replaceAll("-", "").slice(0, 12), 16);
}
