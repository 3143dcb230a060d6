import { expect, test } from "vitest";
import { describeWait } from "../browser/screens/deliveries/describe-wait.ts";

test.each([
  [60_000, "1 min"],
  [300_000, "5 min"],
  [1_800_000, "30 min"],
  [7_200_000, "2 h"],
  [43_200_000, "12 h"],
  [86_400_000, "1 d"],
  [59_400, "1 min"],
  [61_800, "1 min"],
  [1_000, "1 s"],
])("%i ms are %s: the plan of retries reads as it is", (ms, text) => {
  expect(describeWait(ms)).toBe(text);
});
