import { recordFigure } from "@gateway/testkit";
import { expect, test } from "vitest";
import { findRepeatedMember } from "../src/validation/repeated-member.ts";

test("256 KiB of the worst kinds cost at most 50 ms", () => {
  const length = 256 * 1024;
  const names = Array.from({ length: 25_000 }, (_, index) => `"${index}":1`).join(",");
  const texts = [
    `{${names}}`,
    `["${"\\\\".repeat(length / 2 - 2)}"]`,
    `${"[".repeat(length / 2)}${"]".repeat(length / 2)}`,
  ];
  const quickest = texts.map((text) =>
    Math.min(...Array.from({ length: 10 }, () => durationMs(() => findRepeatedMember(text)))),
  );
  recordFigure({ name: "256 KiB of the worst kind", value: Math.max(...quickest), unit: "ms" });
  expect(Math.max(...quickest)).toBeLessThan(50);
});

function durationMs(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}
