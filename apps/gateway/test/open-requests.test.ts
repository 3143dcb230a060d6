import { createTypeIds } from "@gateway/kernel";
import { expect, test } from "vitest";
import type { Call } from "../src/pipeline/call.ts";
import { createOpenRequests } from "../src/request-log/open-requests.ts";

/** A call that came `afterMs` after the first. */
function callAt(afterMs: number): Call {
  const createId = createTypeIds({ now: () => 1_000_000 + afterMs });
  return { requestId: createId("req"), startedAtMs: afterMs, cohort: null } as unknown as Call;
}

test("the first request under way is told, at most a hundredth of a second too early", () => {
  const open = createOpenRequests();
  const calls = [0, 9, 10, 25].map(callAt);
  calls.forEach((call) => open.begin(call));
  const told: number[] = [];
  for (const call of calls) {
    told.push(open.startOfFirst() - 1_000_000);
    open.end(call);
  }
  expect(told).toEqual([0, 0, 10, 25]);
  expect(open.startOfFirst()).toBe(Infinity);
});

test("one that begins when none is under way is the first", () => {
  const open = createOpenRequests();
  const [before, later] = [callAt(0), callAt(5)];
  open.begin(before);
  open.end(before);
  expect(open.startOfFirst()).toBe(Infinity);
  open.begin(later);
  expect(open.startOfFirst()).toBe(1_000_005);
});
