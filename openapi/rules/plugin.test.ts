import { readFile, readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import plugin from "./plugin.ts";

const folder = new URL(".", import.meta.url);
const rules = Object.keys(plugin().rules.oas3).sort();
const support = ["plugin", "read-state-machine", "resolve", "rule"];

test("every rule has a file of its name, and the file is in the plugin", async () => {
  const files = (await readdir(folder)).filter((name) => /^[a-z-]+\.ts$/.test(name));
  const names = files.map((name) => name.replace(/\.ts$/, ""));
  expect(names.filter((name) => !support.includes(name)).toSorted()).toEqual(rules);
});

test("every rule is an error for the document", async () => {
  const config = await readFile(new URL("../redocly.yaml", folder), "utf8");
  expect(
    [...config.matchAll(/^ {2}gateway\/([a-z-]+): error$/gm)]
      .map(([, rule = ""]) => rule)
      .toSorted((a, b) => a.localeCompare(b)),
  ).toEqual(rules);
});
