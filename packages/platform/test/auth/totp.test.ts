import { describe, expect, test } from "vitest";
import { base32Of, findTotpStep, totpCodeOf } from "../../src/auth/totp.ts";

const secret = Buffer.from("12345678901234567890");

/** RFC 6238, appendix B, for SHA-1; of its eight digits the last six are the code. */
const vectors: readonly [seconds: number, code: string][] = [
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
];

describe("codes of an authenticator app", () => {
  test.each(vectors)("at %i s as in RFC 6238, appendix B: %s", (seconds, code) => {
    const step = Math.floor(seconds / 30);
    expect(totpCodeOf(secret, step)).toBe(code.slice(-6));
    expect(findTotpStep(secret, code.slice(-6), seconds * 1000)).toBe(step);
  });

  test("as in RFC 4226, appendix D", () => {
    const codes = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"];
    expect(codes.map((_, step) => totpCodeOf(secret, step))).toEqual(codes);
  });

  test.each([
    [-2, null],
    [-1, 99],
    [0, 100],
    [1, 101],
    [2, null],
  ])("of a clock that is %i steps off", (drift, step) => {
    expect(findTotpStep(secret, totpCodeOf(secret, 100 + drift), 100 * 30_000 + 15_000)).toBe(step);
  });

  test.each(["", "1", "1234567", "75522４", "------"])("%j is none", (code) => {
    expect(findTotpStep(secret, code, 1_111_111_109_000)).toBeNull();
  });
});

/** RFC 4648, 10. */
test.each([
  ["", ""],
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("base32 of %j is %s", (text, encoded) => {
  expect(base32Of(Buffer.from(text))).toBe(encoded);
});
