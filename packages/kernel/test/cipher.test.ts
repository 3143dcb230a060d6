import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createCipher } from "../src/index.ts";

const [oldKey, newKey, otherKey] = [randomBytes(32), randomBytes(32), randomBytes(32)];
/** Messages of Node for a wrong tag and for parts that are too short, and ours for an unknown key. */
const refused = /unable to authenticate|authentication tag|initialization vector|No encryption key/;
const text = Buffer.from("a secret that is shown once");

describe("a sealed value", () => {
  const cipher = createCipher([oldKey]);

  test.each([0, 1, 15, 16, 17, 100_000])("of %i bytes opens to what was sealed, and does not hold it", (sizeBytes) => {
    const plain = randomBytes(sizeBytes);
    const sealed = cipher.seal(plain, "place");
    expect(cipher.open(sealed, "place")).toEqual(plain);
    expect(sealed.length).toBe(sizeBytes + 4 + 12 + 16);
    expect(sizeBytes > 15 && sealed.includes(plain)).toBe(false);
  });

  test("is another one each time, so equal secrets cannot be told", () => {
    const sealed = Array.from({ length: 100 }, () => cipher.seal(text, "place").toString("hex"));
    expect(new Set(sealed).size).toBe(100);
  });

  test("with any bit flipped does not open", () => {
    const sealed = cipher.seal(text, "place");
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const altered = Buffer.from(sealed);
      altered.writeUInt8(altered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => cipher.open(altered, "place")).toThrow(refused);
    }
  });

  test("cut anywhere or with a byte more does not open", () => {
    const sealed = cipher.seal(text, "place");
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => cipher.open(sealed.subarray(0, length), "place")).toThrow(refused);
    }
    expect(() => cipher.open(Buffer.concat([sealed, Buffer.alloc(1)]), "place")).toThrow(refused);
  });

  test("does not open in another place, so rows cannot be swapped", () => {
    const sealed = cipher.seal(text, "account a");
    for (const place of ["account b", "account", "account a ", ""]) {
      expect(() => cipher.open(sealed, place)).toThrow(refused);
    }
  });

  test("a failure tells neither the value nor the key", () => {
    const failure = (work: () => unknown): string => {
      try {
        return String(work());
      } catch (error) {
        return String(error);
      }
    };
    const sealed = cipher.seal(text, "place");
    const told = [
      failure(() => cipher.open(sealed, "other")),
      failure(() => createCipher([otherKey]).open(sealed, "place")),
    ].join();
    expect(told).toContain("ENCRYPTION_KEYS");
    expect(
      [text.toString(), oldKey.toString("hex"), oldKey.toString("base64"), otherKey.toString("base64")].filter((part) =>
        told.includes(part),
      ),
    ).toEqual([]);
  });
});

describe("a ring of keys", () => {
  test("the first seals and all open, so a new one goes in front", () => {
    const before = createCipher([oldKey]);
    const after = createCipher([newKey, oldKey]);
    expect(after.open(before.seal(text, "place"), "place")).toEqual(text);
    expect(createCipher([newKey]).open(after.seal(text, "place"), "place")).toEqual(text);
    expect(() => before.open(after.seal(text, "place"), "place")).toThrow(/was a key removed/);
  });

  test("a key that was taken out opens nothing more", () => {
    expect(() => createCipher([newKey]).open(createCipher([oldKey]).seal(text, "place"), "place")).toThrow(
      /was a key removed/,
    );
  });

  test("without a key there is no cipher", () => {
    expect(() => createCipher([])).toThrow(/at least one key/);
  });
});

describe("a derived key", () => {
  test("is of 32 bytes, the same each time, and another for each purpose and each key", () => {
    const derived = [
      createCipher([oldKey]).deriveKey("cursors"),
      createCipher([oldKey]).deriveKey("other"),
      createCipher([newKey]).deriveKey("cursors"),
    ];
    expect(derived.map((key) => key.length)).toEqual([32, 32, 32]);
    expect(new Set([oldKey, newKey, ...derived].map((key) => key.toString("hex"))).size).toBe(5);
    expect(createCipher([oldKey, otherKey]).deriveKey("cursors")).toEqual(derived[0]);
  });
});
