import { createLogger } from "@gateway/kernel";
import { Writable } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createOutageLog } from "../src/index.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("an outage is a line with its cause, a count every 10 s, and a line at its end", () => {
  const lines: string[] = [];
  const destination = new Writable({ write: (chunk: Buffer, _encoding, done) => done(void lines.push(String(chunk))) });
  const log = createOutageLog({ logger: createLogger({ name: "test", level: "info", destination }) });
  const fail = (count: number): void => {
    for (let index = 0; index < count; index += 1) {
      log.failed(new Error("connect ECONNREFUSED"));
    }
  };
  fail(1_000);
  vi.advanceTimersByTime(10_000);
  fail(500);
  vi.advanceTimersByTime(30_000);
  fail(1);
  vi.advanceTimersByTime(10_000);

  const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const began = { level: "error", err: expect.objectContaining({ message: "connect ECONNREFUSED" }) };
  expect(told).toEqual([
    expect.objectContaining({ ...began, msg: expect.stringContaining("refused with 503") }),
    expect.objectContaining({ level: "error", failures: 1_000 }),
    expect.objectContaining({ level: "error", failures: 1_500 }),
    expect.objectContaining({ level: "warn", failures: 1_500, msg: expect.stringContaining("no request has failed") }),
    expect.objectContaining(began),
    expect.objectContaining({ level: "warn", failures: 1 }),
  ]);
  expect(vi.getTimerCount()).toBe(0);
});
