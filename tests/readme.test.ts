import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { readRepositoryFile, repository } from "./support/source-files.ts";

const pages = [
  ...["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "GLOSSARY.md", "docs/tour.md", "docs/recipes.md"],
  ...readdirSync(join(repository, "docs/architecture")).map((name) => `docs/architecture/${name}`),
];

test("ten minutes lead through the door: README.md has at most 9 kB, and the root's documents together 6,500 words", () => {
  const roots = readdirSync(repository).filter((name) => name.endsWith(".md"));
  const words = roots.map((name) => readRepositoryFile(name).split(/\s+/).filter(Boolean).length);
  expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(6_500);
  expect(Buffer.byteLength(readRepositoryFile("README.md"))).toBeLessThanOrEqual(9_000);
});

test("the tour names files that are there", () => {
  const named = Array.from(
    readRepositoryFile("docs/tour.md").matchAll(/`((?:apps|packages|openapi)\/[\w./-]+)`/g),
    ([, path = ""]) => path,
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
});

test.each(["npm install && npm start", "npm install && npm test"])(
  "README.md has %s as a line of its own to copy",
  (command) => {
    const blocks = Array.from(
      readRepositoryFile("README.md").matchAll(/^```\w*\n(?<code>[\s\S]*?)^```$/gm),
      ({ groups }) => groups?.["code"] ?? "",
    );
    expect(blocks.flatMap((code) => code.split("\n")).filter((line) => line === command)).toEqual([command]);
  },
);

test("nobody is told to install a package of ours from the registry, where its name may be a stranger's: a file is packed", () => {
  const { version } = JSON.parse(readRepositoryFile("packages/client/package.json")) as { version: string };
  const texts = ["packages/client/README.md", "apps/docs/guides/first-call.md"].map(readRepositoryFile);
  for (const text of texts) {
    expect(text).toContain(`npm install ./gateway-api-client-${version}.tgz`);
  }
  const guides = readdirSync(join(repository, "apps/docs/guides")).map((name) =>
    readRepositoryFile(`apps/docs/guides/${name}`),
  );
  expect([...texts, ...guides].join("\n")).not.toMatch(/npm (?:install|i|add) (?:-\S+ )*(?:@gateway\/|gateway-api)/);
});

describe("GLOSSARY.md", () => {
  const groups = readRepositoryFile("GLOSSARY.md")
    .split(/^## /m)
    .slice(1)
    .map((group) =>
      Array.from(group.matchAll(/^\| (?<word>[^|]+) \| (?<meaning>[^|]+) \|$/gm), ({ groups: row }) => ({
        word: row?.["word"] ?? "",
        meaning: row?.["meaning"] ?? "",
      })).slice(1),
    );
  const rows = groups.flat();
  const words = rows.map(({ word }) => word);

  test("says each word once, so that nobody reads half of what it means", () => {
    expect(words).toContain("service");
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  });

  test("is in alphabetical order within each group", () => {
    const names = groups.map((group) => group.map(({ word }) => word.toLowerCase()));
    expect(names).toEqual(names.map((group) => group.toSorted()));
  });

  test("names the words to avoid for each word", () => {
    expect(rows.filter(({ meaning }) => !/ Not: [^.]+\.$/.test(meaning))).toEqual([]);
  });
});

describe.each(pages)("%s", (page) => {
  test("every npm command that it names exists", () => {
    const text = readRepositoryFile(page);
    const named = Array.from(
      text.matchAll(/\bnpm run (?:--silent )?(?<script>[\w:-]+)(?: -w (?<workspace>[\w/-]+))?/g),
      ({ groups }) => ({
        script: groups?.["script"] ?? "",
        workspace: groups?.["workspace"] ?? ".",
      }),
    );
    expect(named.filter(({ script, workspace }) => !scriptsOf(workspace).includes(script))).toEqual([]);
  });

  test("no command runs on whatever Node the shell has", () => {
    expect(readRepositoryFile(page)).not.toMatch(/\bnpx /);
  });

  test("every link to a file of the repository leads to one", () => {
    const links = Array.from(
      readRepositoryFile(page).matchAll(/\]\((?<link>[^)\s]+)\)/g),
      ({ groups }) => groups?.["link"] ?? "",
    );
    const missing = links.filter(
      (link) =>
        !/^(?:https?:|mailto:|#)/.test(link) && !existsSync(join(repository, dirname(page), link.split("#")[0] ?? "")),
    );
    expect(missing).toEqual([]);
  });
});

function scriptsOf(workspace: string): string[] {
  const { scripts = {} } = JSON.parse(readRepositoryFile(join(workspace, "package.json"))) as { scripts?: object };
  return Object.keys(scripts);
}
