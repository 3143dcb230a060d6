import { createTestFolder } from "@gateway/testkit";
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { replaceFolder } from "../src/replace-folder.ts";

async function fillWith(next: string, content: string): Promise<void> {
  await mkdir(next);
  await writeFile(join(next, `${content}.txt`), content);
}

test("what was there stays until all of the next is, and then nothing of it", async () => {
  const folder = join(await createTestFolder(), "dist");
  await replaceFolder(folder, (next) => fillWith(next, "first"));
  await replaceFolder(folder, async (next) => {
    await fillWith(next, "second");
    expect(await readdir(folder)).toEqual(["first.txt"]);
  });
  expect(await readdir(folder)).toEqual(["second.txt"]);
});

test("one that fails changes nothing", async () => {
  const folder = join(await createTestFolder(), "dist");
  await replaceFolder(folder, (next) => fillWith(next, "first"));
  await expect(replaceFolder(folder, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await readFile(join(folder, "first.txt"), "utf8")).toBe("first");
});

test("what one left that was ended is removed after ten minutes, and what may be of one that goes on is not", async () => {
  const parent = await createTestFolder();
  const aged = async (name: string, minutes: number): Promise<void> => {
    await mkdir(join(parent, name));
    const at = new Date(Date.now() - minutes * 60_000);
    await utimes(join(parent, name), at, at);
  };
  await aged("dist.1.next", 11);
  await aged("dist.2.last", 11);
  await aged("dist.3.next", 9);
  await aged("dist.old", 11);
  await aged("other.1.next", 11);
  await replaceFolder(join(parent, "dist"), (next) => fillWith(next, "first"));
  expect((await readdir(parent)).toSorted()).toEqual(["dist", "dist.3.next", "dist.old", "other.1.next"]);
});
