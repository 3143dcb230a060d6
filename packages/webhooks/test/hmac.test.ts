import { expect, test, vi } from "vitest";
import { createWebCryptoHmac, webCryptoHmac, type Hmac } from "../src/index.ts";
import { nodeHmac } from "./support.ts";

const message = new TextEncoder().encode("a message");

/** How often a key was imported while these secrets signed, one after the other; every signature is checked. */
async function countImports(hmac: Hmac, secrets: string[]): Promise<number> {
  const importKey = vi.spyOn(crypto.subtle, "importKey");
  for (const secret of secrets) {
    expect(await hmac(secret, message)).toBe(nodeHmac(secret, message));
  }
  return importKey.mock.calls.length;
}

test.each([
  ["a key is imported once", ["a", "a", "b", "a"], 2],
  ["of the two kept, the one used longest ago goes first", ["a", "b", "a", "c", "a"], 3],
  ["one that went is imported again", ["a", "b", "a", "c", "b"], 4],
])("%s", async (_name, secrets, imports) => {
  expect(await countImports(createWebCryptoHmac({ maxKeys: 2 }), secrets)).toBe(imports);
});

test("keeping none works, and the default keeps none", async () => {
  expect(await countImports(createWebCryptoHmac({ maxKeys: 0 }), ["a", "a"])).toBe(2);
  vi.restoreAllMocks();
  expect(await countImports(webCryptoHmac, ["a", "a"])).toBe(2);
});

test("one secret used many times at once is imported once", async () => {
  const importKey = vi.spyOn(crypto.subtle, "importKey");
  const hmac = createWebCryptoHmac();
  await Promise.all(Array.from({ length: 20 }, async () => hmac("a", message)));

  expect(importKey).toHaveBeenCalledTimes(1);
});
