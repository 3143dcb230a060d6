import { operations, stateMachines, type StateMachine } from "@gateway/contract";
import { expect, test } from "vitest";
import { causeInWords } from "../src/build/cause-words.ts";

test("what leads from a state to another speaks to a person: no name of an operation, no fact, no duration of ISO 8601", () => {
  const causes = Object.values<StateMachine>(stateMachines).flatMap(({ transitions }) =>
    Object.values(transitions).map(({ by, on, after }) => causeInWords({ by, on, after }, () => "Approve")),
  );
  expect(causes).toContain("with “Approve”");
  expect(causes).toContain("after 24 hours");
  expect(causes).toContain("after 90 days");
  expect(causes).toContain("when its network refuses it, or when its network drops it");
  const codes = [...Object.keys(operations), "PT", "P90D"];
  expect(causes.filter((cause) => cause === "" || codes.some((code) => cause.includes(code)))).toEqual([]);
});

test("what has no words yet stops the build", () => {
  expect(() => causeInWords({ on: ["chain.reorganized"] }, String)).toThrow("no words for chain.reorganized");
  expect(() => causeInWords({ after: "P1M" }, String)).toThrow("no words for P1M");
});
