import { expect, test } from "vitest";
import { startWithClosers, type Closers } from "../src/index.ts";

test("what was started last stops first, and nothing twice", async () => {
  const closed: string[] = [];
  const closers = await startWithClosers(async (added) => addTwo(added, closed));
  expect(closed).toEqual([]);
  await closers.closeAll();
  await closers.closeAll();
  expect(closed).toEqual(["second", "first"]);
});

test("a start that fails closes what it had started, and rejects with its reason", async () => {
  const closed: string[] = [];
  const starting = startWithClosers(async (closers) => {
    addTwo(closers, closed);
    throw new Error("in the way");
  });
  await expect(starting).rejects.toThrow("in the way");
  expect(closed).toEqual(["second", "first"]);
});

function addTwo(closers: Closers, closed: string[]): Closers {
  closers.add(async () => void closed.push("first"));
  closers.add(async () => void closed.push("second"));
  return closers;
}
