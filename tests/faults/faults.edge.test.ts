import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { faultKinds, readFaults } from "./read-faults.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const faults = readFaults();

test("each kind of fault has at least three", () => {
  const counts = faultKinds.map((kind) => [kind, faults.filter((fault) => fault.kind === kind).length] as const);
  expect(counts.filter(([, count]) => count < 3)).toEqual([]);
  expect([...new Set(faults.map(({ kind }) => kind))].toSorted()).toEqual([...faultKinds]);
});

test("the suite that finds a fault is there", () => {
  expect(faults.filter(({ foundBy }) => !existsSync(`${repository}${foundBy}`))).toEqual([]);
});

test("a fault changes the product, and no test", () => {
  const patches = faults.map(({ kind, name, file }) => ({ name: `${kind}/${name}`, paths: changedBy(file) }));
  const isOfTests = (path: string): boolean => /(?:^|\/)tests?\/|\.test\.ts$|^bench\/|testkit/.test(path);
  expect(patches.filter(({ paths }) => paths.length === 0 || paths.some(isOfTests))).toEqual([]);
});

test.each(faults)("$kind/$name still applies to the product as it is", ({ file }) => {
  expect(() => execFileSync("git", ["apply", "--check", file], { cwd: repository, stdio: "pipe" })).not.toThrow();
});

function changedBy(file: string): string[] {
  const listed = execFileSync("git", ["apply", "--numstat", file], { cwd: repository, encoding: "utf8" });
  return listed
    .trim()
    .split("\n")
    .map((line) => line.split("\t")[2] ?? "");
}
