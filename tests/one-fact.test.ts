import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { readRepositoryFile, repository } from "./support/source-files.ts";

// A fact that is written in several places, because readers come to each alone, is the same in all of them.

const prose = globSync(
  ["*.md", "packages/client/README.md", "apps/docs/*.md", "apps/docs/{guides,errors}/*.md", "openapi/**/*.yaml"],
  { cwd: repository },
);

/** Every sentence of the prose that contains the words, on one line. */
function sentencesWith(words: RegExp): string[] {
  const sentences = prose.flatMap((path) =>
    readRepositoryFile(path)
      .replaceAll(/\s+/g, " ")
      .split(/(?<=[.:|]) /),
  );
  return sentences.filter((sentence) => words.test(sentence));
}

test("a change of credentials holds within a second: within 5 seconds is for receivers' answers alone", () => {
  expect(sentencesWith(/within a second/i).length).toBeGreaterThan(8);
  const receivers = /2xx|from 200 to 299|answer|response/i;
  expect(sentencesWith(/within (?:5|five) seconds/i).filter((sentence) => !receivers.test(sentence))).toEqual([]);
});

test("the size of headers is 16 KiB, in these words", () => {
  expect(sentencesWith(/over 16 KiB/).length).toBeGreaterThan(3);
  expect(sentencesWith(/16384|16 ?kB/i)).toEqual([]);
});

test.each([
  ["README.md", "package.json"],
  ["packages/client/README.md", "packages/client/package.json"],
  ["apps/docs/guides/first-call.md", "packages/client/package.json"],
])("%s names the oldest Node that %s takes", (page, manifest) => {
  const { engines } = JSON.parse(readRepositoryFile(manifest)) as { engines: { node: string } };
  const named = Array.from(readRepositoryFile(page).matchAll(/\bNode (\d+(?:\.\d+)*)/g), ([, version = ""]) => version);
  expect(named).toEqual([engines.node.replace(/^>=/, "").replace(/\.0$/, "")]);
});
