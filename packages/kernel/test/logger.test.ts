import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { createLogger, maskSecrets, type Logger } from "../src/index.ts";

const secret = "gk_live_0123456789ABCDEFGHIJKLMNOPQRSTUV_abcDEF";
const random = "0123456789ABCDEF";
const jwt = `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1c3IifQ.${random}-_x`;

/** The output of a logger, a line for each entry. */
function record(log: (logger: Logger) => void): string {
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  log(createLogger({ level: "trace", name: "test", destination }));
  return lines.join("");
}

describe("a log line", () => {
  test("is one JSON object with level, time in ISO 8601 and name", () => {
    const line = record((logger) => logger.info({ status: 200 }, "request"));
    expect(line.split("\n")).toEqual([expect.any(String), ""]);
    expect(JSON.parse(line)).toEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      name: "test",
      status: 200,
      msg: "request",
    });
  });

  test.each<[string, (logger: Logger) => void]>([
    ["a message", (logger) => logger.warn(`the key ${secret} failed`)],
    ["a field", (logger) => logger.info({ anything: secret })],
    ["the name of a field", (logger) => logger.info({ [secret]: 1 })],
    ["something deep", (logger) => logger.info({ a: { b: [{ c: `x${secret}y` }] } })],
    ["an error's message and stack", (logger) => logger.error({ err: new Error(`no ${secret}`) })],
    ["an error's cause", (logger) => logger.error({ err: new Error("no", { cause: new Error(secret) }) })],
    [
      "a field of an error",
      (logger) => logger.error({ err: Object.assign(new Error("no"), { detail: `Key (secret)=(${secret})` }) }),
    ],
    ["a URL", (logger) => logger.info({ url: `/api?key=${encodeURIComponent(secret)}` })],
    ["a child's bindings", (logger) => logger.child({ secret }).info("a")],
    ["an access token", (logger) => logger.info({ url: `/callback?token=${jwt}` })],
    ["a bearer token", (logger) => logger.info({ headers: { authorization: `Bearer ${random}.payload.signature` } })],
  ])("masks a secret in %s, and stays JSON", (_, log) => {
    const text = record(log);
    expect(text).toContain("[masked]");
    expect(text).not.toContain(random);
    expect(() => JSON.parse(text)).not.toThrow();
  });
});

describe("masking", () => {
  test.each([
    [secret, "gk_live_[masked]"],
    [`a ${secret} b ${secret} c`, "a gk_live_[masked] b gk_live_[masked] c"],
    [secret.slice(0, 20), "gk_live_[masked]"],
    [secret.slice(0, 41), "gk_live_[masked]"],
    [secret.replaceAll("_", "%5F"), "gk_live_[masked]"],
    [secret.replaceAll("_", "%5f"), "gk_live_[masked]"],
    [secret.replace("live", "test"), "gk_test_[masked]"],
    [secret.toUpperCase(), "gk_LIVE_[masked]"],
    [`"${secret}"`, '"gk_live_[masked]"'],
    ["Authorization: Bearer eyJhbGciOi.J9.x-y_z", "Authorization: Bearer [masked]"],
    ["bearer abcdefgh==", "Bearer [masked]"],
    [jwt, "eyJ[masked]"],
    [`token=${jwt}&a=1`, "token=eyJ[masked]&a=1"],
    [jwt.slice(0, 40), "eyJ[masked]"],
    [jwt.slice(jwt.indexOf(".") + 1), "eyJ[masked]"],
    [jwt.replaceAll(".", "%2E").replaceAll("_", "%5f").replaceAll("-", "%2d"), "eyJ[masked]"],
  ])("%s becomes %s", (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });

  test.each([
    "gk_test_…3f9Z",
    "gk_test_",
    "gk_test",
    "a key begins with gk_live_ or gk_test_",
    "Bearer token",
    "eyJ",
    "acc_01keyj8k9m0n1p2q3r4s5t6v7w",
    "nothing",
  ])("%s stays", (text) => {
    expect(maskSecrets(text)).toBe(text);
  });

  test("a secret is found behind a long hostile text as well", () => {
    const texts = [`gk_test_ gk%5ftest%5f Bearer `.repeat(2_000), `eyJ eyJ.%2E eyJaaaaaaaa%2 `.repeat(2_000)];
    for (const text of texts) {
      expect(maskSecrets(`${text}${secret}`)).not.toContain(random);
    }
  });
});
