import { describe, expect, test } from "vitest";
import { parseArguments } from "../src/arguments.ts";
import { renderTable } from "../src/render-table.ts";
import { median, round, type Row } from "../src/row.ts";

describe("the bench", () => {
  test("refuses a measure that it does not have", () => {
    expect(() => parseArguments(["--only", "a,x"])).toThrow("--only takes letters of a, b, d, e, f");
    expect(parseArguments(["--only", "a,f", "--json"])).toEqual({
      only: ["a", "f"],
      quick: false,
      json: true,
      help: false,
    });
  });

  test("says of each target whether it is met", () => {
    const row: Row = {
      id: "b",
      name: "A page",
      checks: [
        { target: "ratio >= 0.6", measured: 0.5, outcome: "not met" },
        { target: "skew = 0", measured: null, outcome: "skipped" },
      ],
      figures: { "requests/s": 4000 },
    };
    expect(renderTable([row])).toMatchInlineSnapshot(`
      "(b) A page
          not met        0.5   target: ratio >= 0.6
          skipped          -   target: skew = 0
                        4000   requests/s"
    `);
  });

  test("takes the middle of its samples, and keeps three digits", () => {
    expect([median([3, 1, 2]), median([4, 1, 3, 2]), median([])]).toEqual([2, 2.5, Number.NaN]);
    expect([round(0.64449), round(12.345), round(12_345.6), round(-2_345.6)]).toEqual([0.644, 12.3, 12_346, -2_346]);
  });
});
