import type { Schemas } from "@gateway/contract";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listedValues } from "../src/build/listed-values.ts";

test("the choices of a filter are the values of the document, in its order", () => {
  const kinds: Schemas["LedgerTransactionKind"][] = ["opening", "deposit", "payment", "return", "transfer"];
  expect(listedValues()["LedgerTransactionKind"]?.slice(0, kinds.length)).toEqual(kinds);
});

test("the build cuts out each list that a screen offers, and no other", () => {
  const browser = join(import.meta.dirname, "../browser");
  const named = globSync("{parts,screens}/**/*.{ts,tsx}", { cwd: browser }).flatMap((file) =>
    Array.from(readFileSync(join(browser, file), "utf8").matchAll(/\bvaluesOf\("(\w+)"\)/g), ([, name]) => name),
  );
  expect(new Set(named)).toEqual(new Set(Object.keys(listedValues())));
});
