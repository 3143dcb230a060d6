import { describe, expect, test } from "vitest";
import { checkFile } from "../scripts/plain-english/check-file.ts";
import { countWords, splitSentences } from "../scripts/plain-english/sentences.ts";

const placesOf = (path: string, source: string): string[] =>
  checkFile(path, source).map(({ line, rule }) => `${line} ${rule}`);

describe("texts are read where people read them", () => {
  test.each<[name: string, path: string, source: string, found: string[]]>([
    ["a line comment", "packages/a/src/a.ts", "const a = 1; // told\n", ["1 told"]],
    ["line comments are one text", "packages/a/src/a.ts", "// the row\n// Of it\nrun();\n", []],
    ["a docblock, by its line", "packages/a/src/a.ts", "/**\n * A row.\n *\n * It was told.\n */\n", ["4 told"]],
    [
      "each docblock opens",
      "packages/a/src/a.ts",
      "/** Of a. */\nrun();\n/** Of b. */\n",
      ["1 opening-of", "3 opening-of"],
    ],
    ["a text that is no comment", "packages/a/src/a.ts", 'const a = "/* told */";\n', []],
    ["an instruction to a tool", "packages/a/src/a.ts", "// @ts-expect-error told beside\nrun();\n", []],
    ["a message", "packages/a/src/a.ts", 'throw new Problem("X", `The row ${id} was told.`);\n', ["1 told"]],
    ["a name of three words", "packages/a/src/a.ts", 'const css = "told beside twins";\n', []],
    ["a statement of SQL", "packages/a/src/a.ts", "const a = `select the from told where a is b`;\n", []],
    [
      "a program in a string",
      "packages/a/src/a.ts",
      "const a = `\nlocal told = {}\nfor i in told do\n  told = is\nend\n`;\n",
      [],
    ],
    ["text of a screen", "apps/a/browser/a.tsx", "const a = (\n  <p>\n    The row was told.\n  </p>\n);\n", ["3 told"]],
    [
      "an attribute of a screen",
      "apps/a/browser/a.tsx",
      'const a = <Field hint="It is told to the user" />;\n',
      ["1 told"],
    ],
    [
      "a page of markup",
      "apps/a/src/a.ts",
      "html`<p>The row\n<b>was told</b> to you.</p>\n<p>Of a</p>`;\n",
      ["2 told"],
    ],
    ["a string of a test is data", "packages/a/test/a.test.ts", 'const a = "It is told to the user";\n', []],
    ["a paragraph", "docs/a.md", "# A\n\nOne line\nis told.\n", ["4 told"]],
    ["a cell of a table", "docs/a.md", "| a | b |\n|---|---|\n| x | it is told |\n", ["3 told"]],
    ["an item of a list", "docs/a.md", "- a\n- it is told\n", ["2 told"]],
    ["code in Markdown", "docs/a.md", "```ts\n// told\n```\n\n`told`\n", []],
    ["front matter", "docs/a.md", "---\ntitle: told\n---\n\nA.\n", []],
    ["a comment of YAML", "deploy/a.yaml", "a: 1 # told\nb: '# told'\n", ["1 told"]],
    ["a description", "openapi/a.yaml", "description: |\n  A row.\n\n  It was told.\n", ["4 told"]],
    ["a folded summary", "openapi/a.yaml", "a:\n  summary: >-\n    A row\n    was told\n", ["4 told"]],
    [
      "a text of an extension",
      "openapi/a.yaml",
      "x-issue: was told\nx-codes:\n  A:\n    title: It was told\n",
      ["1 told", "4 told"],
    ],
    ["an example is data", "openapi/a.yaml", "example:\n  description: it was told\n", []],
    ["a description elsewhere is data", "deploy/a.yaml", "description: it was told\n", []],
    ["SQL", "deploy/a.sql", "-- it was told\nselect 1;\n", ["1 told"]],
    ["a shell script", "deploy/a.sh", "#!/bin/sh\n# it was\n# told\n", ["3 told"]],
    ["CSS", "apps/a/browser/a.css", "a {}\n/* it was\n * told */\n", ["3 told"]],
    ["a settings file of deploy", "deploy/a/a.service", "# it was told\n[Unit]\n", ["1 told"]],
  ])("%s", (_name, path, source, found) => {
    expect(placesOf(path, source)).toEqual(found);
  });
});

describe("a quotation is excused", () => {
  test("on the line of the mark and the next one, when the mark names the source", () => {
    const source = "<!-- plain-english: quotes RFC 6749 -->\nIt was told.\n\nIt was told.\n";
    expect(placesOf("docs/a.md", source)).toEqual(["4 told"]);
    expect(placesOf("docs/a.md", source.replace("RFC 6749 ", ""))).toContain("2 told");
  });
});

describe("sentences", () => {
  test.each([
    ["One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]],
    ["See e.g. RFC 6749, i.e. OAuth. Two", ["See e.g. RFC 6749, i.e. OAuth.", "Two"]],
    ["It costs 1.50 in v7.0.1. Two", ["It costs 1.50 in v7.0.1.", "Two"]],
    ['He wrote "One." Two', ['He wrote "One."', "Two"]],
    ["The file a.ts is read. CODESPAN is not", ["The file a.ts is read.", "CODESPAN is not"]],
  ])("%s", (text, sentences) => {
    expect(splitSentences(text).map((sentence) => sentence.text)).toEqual(sentences);
  });

  test("a dash is not a word, and an id is one", () => {
    expect(countWords("one — two wal_01kk9841 | 3")).toBe(4);
  });

  const words = (count: number): string => `${"a ".repeat(count).trim()}.`;
  test.each([
    ["25 words", words(25), []],
    ["26 words", words(26), ["1 long-sentence"]],
    ["26 words in two sentences", `${words(13)} A ${words(12)}`, []],
    ["26 words in two items of a list", `- ${words(13)}\n- ${words(13)}`, []],
    ["a code span is one word", `${words(24).slice(0, -1)} \`a b c d e f\`.`, []],
    ["a reference is one word", `${words(24).slice(0, -1)} (RFC 6749, 4.1.2.1 and more).`, []],
  ])("%s", (_name, text, found) => {
    expect(placesOf("docs/a.md", text)).toEqual(found);
  });
});

describe("no line of prose has more than 120 columns", () => {
  const line = (length: number): string =>
    "word "
      .repeat(length / 5)
      .trimEnd()
      .padEnd(length, "s");
  const longLines = (path: string, source: string) => placesOf(path, source).filter((one) => one.endsWith("long-line"));
  test.each<[name: string, path: string, text: string, found: number]>([
    ["120 columns", "docs/a.md", line(120), 0],
    ["121 columns", "docs/a.md", line(121), 1],
    ["a row of a table", "docs/a.md", `| ${line(121)} |`, 0],
    ["code", "docs/a.md", `\`\`\`sh\n${line(121)}\n\`\`\``, 0],
    ["prose behind code", "docs/a.md", `\`\`\`sh\nnpm start\n\`\`\`\n${line(121)}`, 1],
    ["a link that cannot be broken", "docs/a.md", `[link](https://example.com/${"a".repeat(120)})`, 0],
    ["a comment", "packages/a/src/a.ts", `// ${line(118)}\n`, 1],
    ["code with a long string", "packages/a/src/a.ts", `run("${line(130)}");\n`, 0],
  ])("%s", (_name, path, text, found) => {
    expect(longLines(path, text)).toHaveLength(found);
  });
});
