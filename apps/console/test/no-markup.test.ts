import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "../browser");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
const markup =
  /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|srcDoc|\beval\(|new Function\(|javascript:/;

test("no part of the page makes markup or scripts of text, so what others wrote is text everywhere", () => {
  expect(files.length).toBeGreaterThan(100);
  const found = files.filter((name) => markup.test(readFileSync(join(folder, name), "utf8")));
  expect(found).toEqual([]);
});
