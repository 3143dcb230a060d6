import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createProgress } from "../src/index.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] }));
afterEach(() => vi.useRealTimers());

function record(isTTY: boolean): { stream: { isTTY: boolean; write(text: string): void }; shown(): string } {
  let text = "";
  // The terminal's visible line: everything after the last time that it was cleared.
  return { stream: { isTTY, write: (more) => (text += more) }, shown: () => text.split("\r\u{1b}[2K").at(-1) ?? "" };
}

test("what takes longer than two seconds is told, with its time, until it ends", () => {
  const { stream, shown } = record(true);
  const progress = createProgress(stream);
  progress.step("Starting Postgres");
  vi.advanceTimersByTime(1_999);
  expect(shown()).toBe("");
  vi.advanceTimersByTime(1);
  expect(shown()).toBe("Starting Postgres (2 s)");
  vi.advanceTimersByTime(3_000);
  expect(shown()).toBe("Starting Postgres (5 s)");
  progress.step("Starting the gateway");
  expect(shown()).toBe("");
  vi.advanceTimersByTime(2_000);
  expect(shown()).toBe("Starting the gateway (2 s)");
  progress.end();
  expect(shown()).toBe("");
  expect(vi.getTimerCount()).toBe(0);
});

test("nothing is told where nobody watches", () => {
  const { stream, shown } = record(false);
  const progress = createProgress(stream);
  progress.step("Starting Postgres");
  vi.advanceTimersByTime(60_000);
  progress.end();
  expect(shown()).toBe("");
});
