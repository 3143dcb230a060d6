import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { signPayload, verifySignature } from "../src/index.ts";
import { nowSeconds, secret } from "./support.ts";

const body = '{"id":"evt_1"}';
const sign = (over: Partial<Parameters<typeof signPayload>[0]> = {}): Promise<string> =>
  signPayload({ body, secrets: [secret], timestampSeconds: nowSeconds, ...over });
const valid = { isValid: true, timestampSeconds: nowSeconds };

describe("what was signed is verified, and nothing else", () => {
  test("any body, as text or bytes, with any secrets, at any second", async () => {
    const aSecret = fc.string({ minLength: 1, unit: "binary" }).filter((text) => text.trim() !== "");
    const second = fc.integer({ min: 1, max: 99_999_999_999 });
    const aBody = fc.oneof(fc.string({ unit: "binary" }), fc.uint8Array());
    const property = fc.asyncProperty(
      aBody,
      fc.array(aSecret, { minLength: 1, maxLength: 3 }),
      second,
      async (raw, secrets, t) => {
        const header = await signPayload({ body: raw, secrets, timestampSeconds: t });
        for (const one of secrets) {
          expect((await verifySignature({ body: raw, header, secret: one, nowSeconds: t })).isValid).toBe(true);
        }
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });

  test("one byte of the body changed: mismatch", async () => {
    const property = fc.asyncProperty(
      fc.uint8Array({ minLength: 1 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      async (raw, at, flip) => {
        const header = await sign({ body: raw });
        const altered = raw.map((byte, index) => (index === at % raw.length ? byte ^ flip : byte));
        const result = await verifySignature({ body: altered, header, secret, nowSeconds });
        expect(result).toEqual({ isValid: false, reason: "mismatch" });
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });

  test("any text as header: a result, never an exception", async () => {
    const parts = fc.array(
      fc.oneof(fc.string(), fc.constantFrom("t=", "v1=", ",", "=", String(nowSeconds), "a".repeat(64))),
    );
    const property = fc.asyncProperty(parts, async (texts) => {
      expect((await verifySignature({ body, header: texts.join(""), secret, nowSeconds })).isValid).toBe(false);
    });
    await fc.assert(property, { numRuns: 300 });
  });
});

describe("the tolerance reaches 300 s either way, to the second", () => {
  test.each([
    [-301, "in_future"],
    [-300, undefined],
    [0, undefined],
    [300, undefined],
    [301, "expired"],
  ])("%i s after the signature", async (ageSeconds, reason) => {
    const result = await verifySignature({ body, header: await sign(), secret, nowSeconds: nowSeconds + ageSeconds });
    expect(result).toEqual(reason === undefined ? valid : { isValid: false, reason });
  });

  test("another tolerance counts instead, and 0 is not the default", async () => {
    const input = { body, header: await sign(), secret, nowSeconds: nowSeconds + 10 };
    expect(await verifySignature({ ...input, toleranceSeconds: 10 })).toEqual(valid);
    expect(await verifySignature({ ...input, toleranceSeconds: 0 })).toEqual({ isValid: false, reason: "expired" });
  });

  test("without a time it is now", async () => {
    const timestampSeconds = Math.floor(Date.now() / 1000);
    expect((await verifySignature({ body, header: await sign({ timestampSeconds }), secret })).isValid).toBe(true);
  });

  test("a forged signature is not told that it is old", async () => {
    const header = await sign({ secrets: ["another"] });
    const result = await verifySignature({ body, header, secret, nowSeconds: nowSeconds + 9_999 });
    expect(result).toEqual({ isValid: false, reason: "mismatch" });
  });
});

describe("several signatures and several secrets", () => {
  test.each(["old", "new"])("during a rotation the receiver that knows only the %s secret verifies", async (known) => {
    const header = await sign({ secrets: ["new", "old"] });
    expect(header).toMatch(/^t=\d{10},v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    expect(await verifySignature({ body, header, secret: known, nowSeconds })).toEqual(valid);
  });

  test("a receiver that knows both verifies what either signed", async () => {
    for (const used of ["old", "new"]) {
      const header = await sign({ secrets: [used] });
      expect(await verifySignature({ body, header, secret: ["new", "old"], nowSeconds })).toEqual(valid);
    }
  });

  test("names beside t and v1 are passed over, spaces after commas too", async () => {
    const header = `${(await sign()).replaceAll(",", ", ")}, v2=later`;
    expect(await verifySignature({ body, header, secret, nowSeconds })).toEqual(valid);
  });
});

describe("what frameworks hand over", () => {
  test.each([[undefined], [null], [""], [[]]])("header %j: missing", async (header) => {
    expect(await verifySignature({ body, header, secret, nowSeconds })).toEqual({ isValid: false, reason: "missing" });
  });

  test("a list of one header is that header; of two, malformed", async () => {
    const header = await sign();
    expect(await verifySignature({ body, header: [header], secret, nowSeconds })).toEqual(valid);
    const result = await verifySignature({ body, header: [header, header], secret, nowSeconds });
    expect(result).toEqual({ isValid: false, reason: "malformed" });
  });

  test("an ArrayBuffer, a Buffer and a window of a larger buffer are bytes", async () => {
    const header = await sign();
    const bytes = new TextEncoder().encode(body);
    const window = new TextEncoder().encode(`xx${body}xx`).subarray(2, -2);
    for (const raw of [bytes.buffer, Buffer.from(body), window]) {
      expect(await verifySignature({ body: raw, header, secret, nowSeconds })).toEqual(valid);
    }
  });

  test.each([[{ id: "evt_1" }], [undefined], [null], [[1]], [5]])("body %j: body_not_raw", async (parsed) => {
    const result = await verifySignature({ body: parsed as never, header: await sign(), secret, nowSeconds });
    expect(result).toEqual({ isValid: false, reason: "body_not_raw" });
  });
});

describe("a caller's mistake is an exception, not an open door", () => {
  test.each([[""], ["  \n"], [[]], [["good", ""]], [undefined]])("secret %j", async (missing) => {
    await expect(verifySignature({ body, header: "", secret: missing as never, nowSeconds })).rejects.toThrow("secret");
    await expect(sign({ secrets: ["", secret] })).rejects.toThrow("secret");
    await expect(sign({ secrets: [] })).rejects.toThrow("secret");
  });

  test.each([[{ nowSeconds: Number.NaN }], [{ toleranceSeconds: Number.NaN }], [{ toleranceSeconds: -1 }]])(
    "%o",
    async (broken) => {
      const input = { body, header: await sign(), secret, nowSeconds, ...broken };
      await expect(verifySignature(input)).rejects.toThrow(RangeError);
    },
  );

  test.each([0, -1, 1.5, Number.NaN, Infinity, nowSeconds * 1000])(
    "signing at %d is refused",
    async (timestampSeconds) => {
      await expect(sign({ timestampSeconds })).rejects.toThrow(RangeError);
    },
  );
});
