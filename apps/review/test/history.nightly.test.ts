import { measureSlowness } from "@gateway/testkit";
import { expect, test } from "vitest";
import { reviewHistory } from "./support/review-history.ts";

test("an answer to each of the eight commits before it comes in under 10 s", async () => {
  const slowness = await measureSlowness();
  const durationsMs = [];
  let startedAtMs = performance.now();
  for await (const _ of reviewHistory({ commits: 8 })) {
    durationsMs.push(Math.round(performance.now() - startedAtMs));
    startedAtMs = performance.now();
  }
  console.log(durationsMs.join(" ms, "), "ms");
  expect(Math.max(...durationsMs)).toBeLessThan(10_000 * slowness);
});
