import createMarkdownIt, { type Token } from "markdown-it";
import { splitParagraphs, type Kind, type Text } from "./text.ts";

/** The prose of Markdown: paragraphs, headings, list items and the cells of tables. Skips code and HTML blocks. */
export function readMarkdown(source: string, kind: Kind = "markdown", firstLine = 1): Text[] {
  const parser = createMarkdownIt({ html: true });
  const lines = blankFrontMatter(source).replaceAll(/^:::.*$/gm, "");
  const texts: Text[] = [];
  let row = 0;
  for (const token of parser.parse(lines, {})) {
    if (token.type === "tr_open") {
      row = token.map?.[0] ?? row;
    }
    if (token.type === "inline") {
      const content = inlineText(token).split("\n");
      for (const text of splitParagraphs(kind, firstLine + (token.map?.[0] ?? row), content)) {
        texts.push({ ...text, opens: texts.length === 0 });
      }
    }
  }
  return texts;
}

function blankFrontMatter(source: string): string {
  return source.replace(/^---\n[\s\S]*?\n---(?=\n)/, (all) => all.replaceAll(/[^\n]/g, ""));
}

function inlineText({ children }: Token): string {
  return (children ?? [])
    .map((child) => {
      if (child.type === "text") {
        return child.content;
      }
      if (child.type === "code_inline") {
        return "`code`";
      }
      return child.type === "softbreak" || child.type === "hardbreak" ? "\n" : "";
    })
    .join("");
}
