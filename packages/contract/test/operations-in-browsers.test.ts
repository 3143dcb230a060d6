import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { operations } from "../src/generated/operations.ts";

const file = new URL("../src/generated/operations.ts", import.meta.url);

test("a page takes the table of operations alone: nothing comes with it, neither Node's nor the document", async () => {
  expect(operations.createApiKey.permission).toBe("admin");
  const imports = (await readFile(file, "utf8")).split("\n").filter((line) => /\bimport\b|\brequire\(/.test(line));
  expect(imports.length).toBeGreaterThan(0);
  expect(imports.filter((line) => !line.startsWith("import type "))).toEqual([]);
});
