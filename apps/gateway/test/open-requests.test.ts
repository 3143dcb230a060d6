import { startOfIds } from "@gateway/kernel";
import { expect, test } from "vitest";
import type { Call } from "../src/pipeline/call.ts";
import { createOpenRequests } from "../src/request-log/open-requests.ts";

const beganMs = 1_790_000_000_000;

/** A call that came so many ms after the first. */
const callAt = (ms: number): Call =>
  ({ requestId: startOfIds("req", beganMs + ms), startedAtMs: ms, cohort: null }) as unknown as Call;

test("nothing is under way before the first request and after the last", () => {
  const open = createOpenRequests();
  const call = callAt(0);
  expect(open.startOfFirst()).toBe(Infinity);
  open.begin(call);
  expect(open.startOfFirst()).toBe(beganMs);
  open.end(call);
  expect(open.startOfFirst()).toBe(Infinity);
});

test("whatever ends in which order, it is never later than the first that is under way, and 50 ms earlier at most", () => {
  const open = createOpenRequests();
  const calls = Array.from({ length: 200 }, (_, index) => callAt(index * 7));
  calls.forEach(open.begin);
  const underWay = new Set(calls);
  // 73 and 200 have no common divisor: each of them ends once.
  for (let step = 0; step < calls.length; step += 1) {
    const [first] = underWay;
    const startedMs = beganMs + (first?.startedAtMs ?? NaN);
    expect(open.startOfFirst()).toBeLessThanOrEqual(startedMs);
    expect(open.startOfFirst()).toBeGreaterThan(startedMs - 50);
    const ended = calls[(step * 73) % calls.length] ?? callAt(0);
    open.end(ended);
    underWay.delete(ended);
  }
  expect(open.startOfFirst()).toBe(Infinity);
});

test("one that takes for ever is told while others come and go", () => {
  const open = createOpenRequests();
  open.begin(callAt(0));
  for (let ms = 10; ms < 60_000; ms += 100) {
    const call = callAt(ms);
    open.begin(call);
    expect(open.startOfFirst()).toBe(beganMs);
    open.end(call);
  }
});
