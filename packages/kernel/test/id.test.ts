import { describe, expect, test } from "vitest";
import { TypeID } from "typeid-js";
import { createTypeId, createRequestIds, idPattern } from "../src/index.ts";

describe("ids", () => {
  test("of stored things sort by the order they were made in, also within a millisecond", () => {
    const ids = Array.from({ length: 5000 }, () => createTypeId("wal"));
    expect(ids).toEqual(ids.toSorted());
  });

  test("of requests are TypeIDs: a UUID of version 7 with the time it was made at", () => {
    const beforeMs = Date.now();
    const ids = Array.from({ length: 1000 }, createRequestIds());
    const afterMs = Date.now();
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) {
      expect(id).toMatch(idPattern("req"));
      const uuid = TypeID.fromString(id, "req").toUUID();
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      const madeAtMs = Number.parseInt(uuid.replaceAll("-", "").slice(0, 12), 16);
      expect(madeAtMs).toBeGreaterThanOrEqual(beforeMs);
      expect(madeAtMs).toBeLessThanOrEqual(afterMs);
    }
  });
});
