import { expect, test } from "vitest";
import { findUnseen } from "./support/find-unseen.ts";

test("no word, number or flag of the document changes without a line in the review", async () => {
  const { tried, unseen } = await findUnseen({ stride: 97, offset: 0 });
  expect(tried).toBeGreaterThan(100);
  expect(unseen).toEqual([]);
});
