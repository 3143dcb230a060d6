import { rules } from "./rules.ts";
import { countWords, splitSentences } from "./sentences.ts";
import { maskCode, type Text } from "./text.ts";

export type Finding = {
  path: string;
  line: number;
  rule: string;
  /** The words that the rule found. */
  text: string;
  /** The replacement to write. */
  write: string;
};

const maxWords = 25;
const maxColumns = 120;

/** All findings of one text. Each rule reports all of its places, and a long sentence counts once. */
export function checkText(path: string, text: Text): Finding[] {
  const source = maskCode(text.lines.join("\n"));
  const paragraph = source.replaceAll("\n", " ");
  const at = (offset: number, rule: string, found: string, write: string): Finding => {
    const line = text.line + source.slice(0, offset).split("\n").length - 1;
    return { path, line, rule, text: found, write };
  };
  const words = rules
    .filter((rule) => (rule.kinds?.includes(text.kind) ?? true) && (!rule.opening || opens(text)))
    .flatMap(({ id, pattern, write }) =>
      [...paragraph.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map((match) =>
        at(match.index, id, around(paragraph, match.index, match[0].length), write),
      ),
    );
  const long = splitSentences(paragraph)
    .map((sentence) => ({ ...sentence, count: countWords(sentence.text) }))
    .filter(({ count }) => count > maxWords)
    .map(({ text: sentence, start, count }) =>
      at(start, "long-sentence", `${sentence.slice(0, 60)}...`, `${count} words: one fact each, at most ${maxWords}`),
    );
  return [...words, ...long];
}

const opens = ({ opens: isFirst, kind }: Text): boolean => isFirst && kind !== "message" && kind !== "markdown";

/** The words around a place, cut at spaces. */
function around(paragraph: string, start: number, length: number): string {
  const from = start < 30 ? 0 : paragraph.indexOf(" ", start - 30) + 1;
  const end = paragraph.indexOf(" ", start + length + 20);
  return paragraph.slice(Math.min(from, start), end === -1 ? undefined : end).trim();
}

/**
 * Lines over 120 columns of Markdown and of comments, which no formatter breaks. Tables, pictures, code and lines
 * without a space may be longer, and so may changesets, whose paragraphs are one line each.
 */
export function findLongLines(path: string, source: string, commentLines: ReadonlySet<number>): Finding[] {
  const isMarkdown = path.endsWith(".md") && !path.startsWith(".changeset/");
  const prose = isMarkdown
    ? source.replaceAll(/^ *(```|~~~)[\s\S]*?^ *\1$/gm, (code) => code.replaceAll(/[^\n]/g, ""))
    : source;
  return prose.split("\n").flatMap((content, index) => {
    const line = index + 1;
    const isLong = content.length > maxColumns && /\S .*\S/.test(content) && !/^\s*(?:\||!\[)/.test(content);
    return isLong && (isMarkdown || commentLines.has(line))
      ? [
          {
            path,
            line,
            rule: "long-line",
            text: `${content.trim().slice(0, 60)}...`,
            write: `break at ${maxColumns} columns`,
          },
        ]
      : [];
  });
}
