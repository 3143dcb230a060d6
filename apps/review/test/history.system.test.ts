import { expect, test } from "vitest";
import { reviewHistory } from "./support/review-history.ts";

test("against the newest commits of our own history there is an answer", async () => {
  let answers = 0;
  for await (const _ of reviewHistory({ commits: 3 })) {
    answers += 1;
  }
  // A clone may have no more than the newest.
  expect(answers).toBeGreaterThan(0);
});
