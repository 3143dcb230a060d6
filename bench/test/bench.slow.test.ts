import { expect, test } from "vitest";
import { expectRow, quickBench } from "./support/quick-bench.ts";

test("the bench takes all six measures, and two processes count exactly", async () => {
  const rows = await quickBench();
  expect(rows.map(({ id, checks }) => `${id} ${checks.length}`)).toEqual(["a 2", "b 1", "c 1", "d 1", "e 1", "f 2"]);
  rows.forEach(expectRow);
  expect(rows.at(-1)?.checks[0]).toMatchObject({ outcome: expect.stringMatching(/^(met|skipped)$/) as unknown });
});
