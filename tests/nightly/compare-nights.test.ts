import { describe, expect, test } from "vitest";
import { findMoves, renderMoves } from "./compare-nights.ts";
import { parseRows, type NightlyRow } from "./nightly-row.ts";

const nightOf = (number: number): string => new Date(Date.UTC(2026, 0, number)).toISOString();

/** A night for each value. */
function nights(values: readonly number[], change: Partial<NightlyRow> = {}): NightlyRow[] {
  return values.map((value, index) => ({
    ...{ night: nightOf(index + 1), commit: "c0ffee", suite: "a.nightly.test.ts", name: "a page", value, unit: "ms" },
    ...{ slowness: 1, seed: null },
    ...change,
  }));
}

const steady = [1_000, 1_010, 990, 1_000, 1_005];

describe("a figure moves", () => {
  test.each([
    ["by 30 % up", [1_300, 1_300, 1_310, 1_290, 1_320], 0.3],
    ["by half down", [500, 490, 510, 500, 505], -0.5],
    ["although two nights are as before", [1_000, 1_000, 1_400, 1_400, 1_400], 0.4],
  ])("%s", (_name, latest, share) => {
    const [move] = findMoves(nights([...steady, ...latest]));
    expect(move).toMatchObject({ suite: "a.nightly.test.ts", before: 1_000, share: expect.closeTo(share, 2) });
  });

  test("and the issue says by how much", () => {
    const text = renderMoves(findMoves(nights([...steady, 2_000, 2_000, 2_000, 2_000, 2_000])));
    expect(text).toContain("| `a.nightly.test.ts` | a page | 1000 ms | 2000 ms | +100 % |");
  });
});

describe("a figure does not move", () => {
  test.each([
    ["by 29 %", [...steady, 1_290, 1_290, 1_290, 1_290, 1_290], {}],
    ["for two bad nights of five", [...steady, 1_000, 9_000, 1_000, 9_000, 1_000], {}],
    ["with fewer than ten nights", [1_000, 1_000, 1_000, 1_000, 2_000, 2_000, 2_000, 2_000, 2_000], {}],
    ["where it is below 100 ms", [10, 10, 10, 10, 10, 90, 90, 90, 90, 90], {}],
  ])("%s", (_name, values, change) => {
    expect(findMoves(nights(values, change))).toEqual([]);
    expect(renderMoves([])).toBe("");
  });

  test("where the machine was slow and the product was not", () => {
    const slow = nights([...steady, 2_000, 2_000, 2_000, 2_000, 2_000]).map((row, index) => ({
      ...row,
      slowness: index < 5 ? 1 : 2,
    }));
    expect(findMoves(slow)).toEqual([]);
  });

  test("counts are not divided by how slow the machine was", () => {
    const rows = nights([10, 10, 10, 10, 10, 20, 20, 20, 20, 20], { unit: "rows", slowness: 2 });
    expect(findMoves(rows)).toMatchObject([{ before: 10, after: 20 }]);
  });
});

test("a line that is not a row is refused with its number", () => {
  const [row] = nights([1]);
  expect(parseRows(`${JSON.stringify(row)}\n`)).toEqual([row]);
  expect(() => parseRows(`${JSON.stringify(row)}\n{"suite":1}\n`)).toThrow("Line 2");
});
