import { describe, expect, test } from "vitest";
import { checkEnvironment } from "../src/index.ts";

const live = { LIVEMODE: true };
const namesOf = (env: Record<string, string>, read: { LIVEMODE?: boolean } = live): string[] =>
  checkEnvironment(env, read).map((fault) => fault.split(" ")[0] ?? "");

describe("production refuses what undoes TLS or lets others look inside", () => {
  test.each([
    "--inspect",
    "--inspect=0.0.0.0:9229",
    "--max-old-space-size=512 --inspect-brk",
    "--inspect-wait",
    "--inspect-port=9229",
    "--tls-keylog=/tmp/keys",
    "--tls-min-v1.0",
    "--insecure-http-parser",
  ])("NODE_OPTIONS=%s", (NODE_OPTIONS) => {
    expect(namesOf({ NODE_OPTIONS })).toEqual(["NODE_OPTIONS"]);
    expect(namesOf({ NODE_OPTIONS }, { LIVEMODE: false })).toEqual([]);
  });

  test.each(["", "--max-old-space-size=512", "--tls-min-v1.3", "--enable-source-maps --require ./inspect.js"])(
    "and takes NODE_OPTIONS=%s",
    (NODE_OPTIONS) => {
      expect(namesOf({ NODE_OPTIONS })).toEqual([]);
    },
  );

  test("NODE_TLS_REJECT_UNAUTHORIZED=0, and not 1", () => {
    expect(namesOf({ NODE_TLS_REJECT_UNAUTHORIZED: "0" })).toEqual(["NODE_TLS_REJECT_UNAUTHORIZED"]);
    expect(namesOf({ NODE_TLS_REJECT_UNAUTHORIZED: "1" })).toEqual([]);
  });

  test("all of it at once", () => {
    expect(namesOf({ NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_OPTIONS: "--inspect" })).toHaveLength(2);
  });
});
