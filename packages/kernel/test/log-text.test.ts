import { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { createLogger, type LogFormat, type Logger } from "../src/index.ts";

/** The output of a logger in this format, without colours, and with a fixed time. */
function record(format: LogFormat, log: (logger: Logger) => void): string {
  let text = "";
  const destination = new Writable({ write: (chunk: Buffer, _encoding, done) => ((text += chunk.toString()), done()) });
  log(createLogger({ level: "trace", name: "gateway", format, destination }));
  return stripVTControlCharacters(text).replaceAll(/^\d\d:\d\d:\d\d\.\d{3}/gm, "12:34:56.789");
}

const request = {
  requestId: "req_1",
  method: "GET",
  operation: "listWallets",
  status: 200,
  durationMs: 3.21,
  isAnswered: true,
};

test("a request is a line: what was asked, how it ended, how long it took", () => {
  const text = record("text", (logger) => {
    logger.info({ ...request, accountId: "acc_1" }, "request");
    logger.info({ ...request, isAnswered: false }, "request");
    logger.info(
      { requestId: "req_2", method: "POST", route: "/sign-in", status: 303, durationMs: 80, isAnswered: true },
      "request",
    );
  });
  expect(text).toBe(
    "12:34:56.789 info  gateway GET listWallets 200 3.21 ms requestId=req_1 accountId=acc_1\n" +
      "12:34:56.789 info  gateway GET listWallets not answered 3.21 ms requestId=req_1\n" +
      "12:34:56.789 info  gateway POST /sign-in 303 80 ms requestId=req_2\n",
  );
});

test("anything else is its message with its fields, and an error with its stack below", () => {
  const err = Object.assign(new Error("no"), { stack: "Error: no\n    at here" });
  const text = record("text", (logger) => {
    logger.warn({ of: { deep: 1 } }, "a claim failed");
    logger.error({ ...request, status: 500, err }, "request failed");
  });
  expect(text).toBe(
    '12:34:56.789 warn  gateway a claim failed of={"deep":1}\n' +
      "12:34:56.789 error gateway GET listWallets 500 3.21 ms, request failed requestId=req_1\n" +
      "    Error: no\n        at here\n",
  );
});

test("what came from outside forges no line, moves no cursor, and shows no secret", () => {
  const text = record("text", (logger) => {
    logger.info({ agent: "a\n12:00 error gateway forged\u{1b}[2J\u{9b}2J\u{2028}" }, "x\r\u{1b}]0;title\u{7}");
    logger.info({ key: "gk_live_0123456789ABCDEFGHIJKLMNOPQRSTUV_abcDEF" });
  });
  expect(text.trimEnd().split("\n")).toHaveLength(2);
  // oxlint-disable-next-line no-control-regex
  expect(text.replaceAll("\n", "")).not.toMatch(/[\u{0}-\u{1f}\u{7f}-\u{9f}\u{2028}]/u);
  expect(text).toContain("key=gk_live_[masked]");
});

test.each(["json", "auto"] as const)("%s is JSON away from a terminal", (format) => {
  expect(JSON.parse(record(format, (logger) => logger.info("a")))).toMatchObject({ level: "info", msg: "a" });
});
