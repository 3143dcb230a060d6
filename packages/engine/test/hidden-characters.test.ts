import { expect, test } from "vitest";
import { hasHiddenCharacters, showHiddenCharacters } from "../src/hidden-characters.ts";

test.each(["Payroll", "Bücher 📚", "naïve 名前", "👩‍👩‍👧", "👍🏽", "❤️", "1️⃣", "שלום", "नमस्ते", "a b"])(
  "%j is all to be seen",
  (name) => {
    expect(hasHiddenCharacters(name)).toBe(false);
    expect(showHiddenCharacters(name)).toBe(name);
  },
);

test.each([
  ["a zero-width space", "\u200b"],
  ["a zero-width joiner between letters", "\u200d"],
  ["a bidi override", "\u202e"],
  ["a bidi isolate", "\u2067"],
  ["a mark of direction", "\u200f"],
  ["a soft hyphen", "\u00ad"],
  ["a word joiner", "\u2060"],
  ["a byte order mark", "\ufeff"],
  ["a Hangul filler", "\u3164"],
  ["an empty Braille pattern", "\u2800"],
  ["a line separator", "\u2028"],
  ["a variation selector", "\ufe0f"],
  ["a tag", "\u{e0041}"],
  ["a control character", "\u0085"],
])("%s is found, and shown", (_what, character) => {
  const name = `Gate${character}way`;
  expect(hasHiddenCharacters(name)).toBe(true);
  expect(showHiddenCharacters(name)).toBe("Gate\ufffdway");
});
