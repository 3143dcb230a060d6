import { expect, test } from "vitest";
import { looksLikeOurs } from "../src/accounts/our-names.ts";

test.each([
  "Console",
  "C o n s o l e",
  "Gateway",
  "Gateway Console",
  "GATEWAY-CONSOLE",
  "\u0421onsole",
  "C\u043ens\u043ele",
  "G\u0430tew\u0430y C\u03bfns\u03bfle",
  "C0nso1e",
  "\uff23\uff4f\uff4e\uff53\uff4f\uff4c\uff45",
  "C\u00f3nsole",
])("%s looks like ours", (name) => {
  expect(looksLikeOurs(name)).toBe(true);
});

test.each(["Ledger viewer", "Consoles", "Payment Gateway", "Gateway to Paris", "Консоль"])("%s does not", (name) => {
  expect(looksLikeOurs(name)).toBe(false);
});
