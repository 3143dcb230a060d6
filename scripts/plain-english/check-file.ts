import { checkText, findLongLines, type Finding } from "./check-text.ts";
import { readMarkdown } from "./read-markdown.ts";
import { readMarkedComments } from "./read-marked-comments.ts";
import { readTypeScript } from "./read-typescript.ts";
import { readYaml } from "./read-yaml.ts";
import type { Text } from "./text.ts";

/** Excuses the text on its line and the next one. It names the source: a place is excused only for a quotation. */
const quotation = /plain-english: quotes \w/;

/** Findings of one file, by the kind of file that its path says; none for files without prose. */
export function checkFile(path: string, source: string): Finding[] {
  const texts = readTexts(path, source);
  const excused = new Set(
    source.split("\n").flatMap((line, index) => (quotation.test(line) ? [index + 1, index + 2] : [])),
  );
  const isExcused = (line: number): boolean => excused.has(line);
  const checked = texts.filter(({ line, lines }) => !lines.some((_content, index) => isExcused(line + index)));
  const comments = checked.filter(({ kind }) => kind === "comment");
  const commentLines = new Set(comments.flatMap(({ line, lines }) => lines.map((_content, index) => line + index)));
  return [...checked.flatMap((text) => checkText(path, text)), ...findLongLines(path, source, commentLines)];
}

/** Whether people read the strings of a file. In tests and in measurements they are data. */
const hasMessages = (path: string): boolean =>
  /^(?:apps|packages)\/[^/]+\/(?:src|browser|bin|scripts)\/|^(?:scripts|openapi)\//.test(path) &&
  !/\.(?:test|cases)\.tsx?$|^scripts\/plain-english\//.test(path);

function readTexts(path: string, source: string): Text[] {
  if (/\.[cm]?[jt]sx?$/.test(path)) {
    return readTypeScript(path, source, hasMessages(path));
  }
  if (path.endsWith(".md")) {
    return readMarkdown(source);
  }
  if (/\.ya?ml$/.test(path)) {
    return readYaml(source, path.startsWith("openapi/"));
  }
  return readMarkedComments(path, source);
}
