import { describe, expect, test } from "vitest";
import { readGeneratorGuide } from "./support/generator-guide.ts";
import { readRepositoryFile } from "./support/source-files.ts";

/** Checks of the guide that need no network. Its programs run in `generators.nightly.test.ts`. */
const { sections, prepare } = readGeneratorGuide();
const rows = Array.from(
  readRepositoryFile("apps/docs/guides/generators.md").matchAll(
    /^\| \[([^\]]+)\]\(#[^)]+\) \| (\w+) \| ([\d.]+) \| works \|/gm,
  ),
  ([, name = "", language = "", version = ""]) => ({ title: `${name} (${language})`, version }),
);

test("the table lists the generators that have a section, in their order", () => {
  expect(sections.length).toBe(5);
  expect(rows.map(({ title }) => title)).toEqual(sections.map(({ title }) => title));
});

test("the prepared document is made once, and named where it is generated from", () => {
  expect(prepare).toContain("> gateway.json");
  expect(sections.filter(({ make }) => make.includes("gateway.json")).map(({ title }) => title)).toEqual([
    "openapi-python-client (Python)",
    "OpenAPI Generator (Java)",
  ]);
});

describe.each(sections)("$title", ({ title, make, run, files }) => {
  test("installs the version that was tried", () => {
    const { version = "" } = rows.find((row) => row.title === title) ?? {};
    expect(make).toMatch(new RegExp(`(?:@v?|==|-)${version.replaceAll(".", "\\.")}\\b`));
  });

  test("pins every package that it installs", () => {
    const installed = Array.from(
      make.matchAll(/^(?:npm install|pip install|go get)(?: --[\w-]+)* (.+)$/gm),
      ([, names = ""]) => names.split(" "),
    ).flat();
    expect(installed.filter((name) => !/(?:==|@v?)\d+\.\d+\.\d+$/.test(name))).toEqual([]);
  });

  test("has a program that its last command runs", () => {
    expect(run).not.toBe("");
    expect([...files.keys()].some((name) => /^main\./i.test(name))).toBe(true);
  });
});
