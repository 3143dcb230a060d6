import { expect, test } from "vitest";
import { measureIds } from "../src/arguments.ts";
import { expectRow, quickBench } from "./support/quick-bench.ts";

test("the bench takes every measure, and two processes count exactly", async () => {
  const rows = await quickBench();
  expect(rows.map(({ id }) => id)).toEqual(measureIds);
  rows.forEach(expectRow);
  // Counts are exact on any machine. The row is skipped when redis-server is not installed.
  expect(rows.find(({ id }) => id === "f")?.checks[0]).toMatchObject({
    outcome: expect.stringMatching(/^(met|skipped)$/) as unknown,
  });
}, 600_000);
