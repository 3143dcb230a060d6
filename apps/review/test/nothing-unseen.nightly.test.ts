import { chooseSeed, recordSeed } from "@gateway/testkit";
import { expect, test } from "vitest";
import { findUnseen } from "./support/find-unseen.ts";

test("no word, number or flag of the document changes without a line in the review, at other places each night", async () => {
  const offset = chooseSeed();
  recordSeed(offset);
  const { tried, unseen } = await findUnseen({ stride: 13, offset });
  expect(tried).toBeGreaterThan(500);
  expect(unseen).toEqual([]);
});
