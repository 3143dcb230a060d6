import { createTestFolder } from "@gateway/testkit";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keepEncryptionKey } from "../src/encryption-key.ts";

test("the key is made once, however many starts race for it, and only its owner may read it", async () => {
  const dataDir = join(await createTestFolder(), "data");
  const keys = await Promise.all(Array.from({ length: 20 }, () => keepEncryptionKey(dataDir)));
  expect(new Set(keys.map((key) => key.toString("hex"))).size).toBe(1);
  expect(keys[0]).toHaveLength(32);
  expect((await stat(join(dataDir, "encryption-key"))).mode & 0o777).toBe(0o600);
});

test("a damaged key stops the start: going on with another would lose what is encrypted", async () => {
  const dataDir = await createTestFolder();
  await writeFile(join(dataDir, "encryption-key"), "c2hvcnQ=\n");
  await expect(keepEncryptionKey(dataDir)).rejects.toThrow(/encryption-key does not hold a key of 32 bytes/);
});
