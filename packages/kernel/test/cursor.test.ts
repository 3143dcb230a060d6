import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createCursorCodec, createTypeId } from "../src/index.ts";

const codec = createCursorCodec(randomBytes(32));
const position = createTypeId("wal");
const cursor = codec.encode("wallets a", position);

describe("a cursor", () => {
  test("names its position to its own list alone", () => {
    expect(codec.decode("wallets a", cursor)).toBe(position);
    expect([codec.decode("wallets b", cursor), codec.decode("api-keys a", cursor), codec.decode("", cursor)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test("is short, and fits a URL as it is", () => {
    expect(cursor).toMatch(/^[A-Za-z0-9_-]{1,60}$/);
  });

  test("of another key is refused", () => {
    expect(createCursorCodec(randomBytes(32)).decode("wallets a", cursor)).toBeNull();
  });

  test("with any bit flipped is refused", () => {
    const bytes = Buffer.from(cursor, "base64url");
    const accepted = Array.from({ length: bytes.length * 8 }, (_, bit) => {
      const altered = Buffer.from(bytes);
      altered.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      return codec.decode("wallets a", altered.toString("base64url"));
    }).filter((decoded) => decoded !== null);
    expect(accepted).toEqual([]);
  });

  test("has one spelling: the same bytes written in another way are refused", () => {
    const odd = codec.encode("wallets a", `${position}x`);
    const spellings = [
      `${cursor}=`,
      `${cursor} `,
      ` ${cursor}`,
      `${cursor}\n`,
      cursor.replace("", "."),
      `${odd.slice(0, -1)}${nextLetter(odd.at(-1) ?? "")}`,
    ];
    expect(spellings.map((text) => codec.decode("wallets a", text))).toEqual(spellings.map(() => null));
  });

  test.each(["", "A", "AAAAAAAAAAAA", "A".repeat(10_000), "é", "\0", "%", position])("%j is none", (text) => {
    expect(codec.decode("wallets a", text)).toBeNull();
  });
});

/** The letter whose value is one more: it differs in the last bit, which a cursor of this length does not use. */
function nextLetter(letter: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return alphabet[alphabet.indexOf(letter) + 1] ?? "";
}
