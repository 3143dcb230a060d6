import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commonPasswords } from "../src/browser/common-passwords.ts";
import { judgePassword, minPasswordLength } from "../src/browser/password-rules.ts";
import { uriOf } from "../src/pages/authenticator.ts";
import { namePattern, readName } from "../src/pages/fields.ts";
import type { StrengthOf } from "./support/password-strength.ts";

const asset = new URL("../assets/password-strength.js", import.meta.url).href;
// The script of the page. Its types are declared next to the tests.
const { strengthOf } = (await import(asset)) as { strengthOf: StrengthOf };
const rules = { minLength: minPasswordLength, common: commonPasswords };

describe("the word beside a new password", () => {
  test.each([
    ["abc", 0, "Too short: 9 characters more"],
    ["ferry candl", 0, "Too short: 1 character more"],
    ["password1234", 0, "Easy to guess: it is tried first"],
    ["abcdefghijklmnop", 0, "Easy to guess: it is tried first"],
    ["xkxkxkzkzkzk", 1, "Weak: few different characters"],
    ["ferry candle", 1, "Fair: longer is better"],
    ["ferry candle walnut", 2, "Good"],
    ["ferry candle walnut orbit", 3, "Strong"],
  ])("%s: %i, %s", (password, level, word) => {
    expect(strengthOf(password, rules)).toEqual({ level, word });
  });

  test("is never better than easy to guess for what the server refuses, and never that for what it takes", () => {
    const own = { email: "ada.lovelace@example.com", name: "Ada Lovelace" };
    const word = fc.constantFrom(...commonPasswords, own.email, "ada.lovelace", own.name, "x", "walnut", "é", "🔑");
    const text = fc.array(fc.oneof(word, fc.string({ maxLength: 6 })), { maxLength: 8 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          word.map((one) => one.repeat(4)),
          fc.string({ unit: "grapheme", maxLength: 40 }),
        ),
        (password) => {
          fc.pre(Array.from(password.normalize("NFKC")).length <= 128);
          const told = strengthOf(password, { ...rules, own: [own.email, "ada.lovelace", own.name] });
          expect(told.level === 0).toBe(judgePassword(password, own) !== null);
        },
      ),
    );
  });
});

test("a browser holds a name against what the server takes", () => {
  const pattern = new RegExp(`^(?:${namePattern})$`, "v");
  const unit = fc.constantFrom(
    ...Array.from("aé 🔑\u200d\u200b\u202e\ufe0f\t1☎👩💻"),
    "👩\u200d💻",
    "\u00ad",
    "\u2800",
  );
  const read = (name: string) => "value" in readName({ get: () => name });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(unit, { maxLength: 8 }).map((parts) => parts.join("")),
        fc.string({ maxLength: 130 }),
      ),
      (name) => {
        expect(pattern.test(name)).toBe(read(name));
      },
    ),
  );
  expect(
    ["x".repeat(100), "x".repeat(101), "🔑".repeat(100), ` ${"x".repeat(100)} `, "", " "].map((name) =>
      pattern.test(name),
    ),
  ).toEqual([true, false, true, true, false, false]);
});

test.each(["http://localhost:8081", "https://auth.example.com", "http://[::1]:8081"])(
  "the label of an authenticator of %s has one colon, between issuer and address (Key Uri Format)",
  (issuer) => {
    const uri = new URL(uriOf({ key: randomBytes(4).toString("hex"), email: "ada@example.com", issuer }));
    const label = decodeURIComponent(uri.pathname.replace(/^\/+(?:totp\/)?/, ""));
    expect(label.split(":")).toEqual([uri.searchParams.get("issuer"), "ada@example.com"]);
  },
);
