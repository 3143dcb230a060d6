import { splitParagraphs, type Text } from "./text.ts";

/**
 * Reads comments on lines of their own in SQL, shell scripts and the files of `deploy/`. Of CSS and C, it reads all
 * comments. A mark after code is left out, because without a parser it may be part of a string.
 */
export function readMarkedComments(path: string, source: string): Text[] {
  if (/\.(?:css|c)$/.test(path)) {
    return [...source.matchAll(/\/\*([\s\S]*?)\*\//g)].flatMap(({ index, 1: content = "" }) => {
      const lines = content.split("\n").map((line) => line.replace(/^\s*\*+(?=\s|$)/, "").trim());
      return splitParagraphs("comment", source.slice(0, index).split("\n").length, lines);
    });
  }
  const mark = markOf(path);
  return mark ? joinMarkedLines(source, mark) : [];
}

/** The mark of a comment's line, by kind of file; null for files that are not read. */
function markOf(path: string): RegExp | null {
  if (path.endsWith(".sql")) {
    return /^\s*--+\s?/;
  }
  const isMarkedByHash =
    /\.(?:sh|conf|env|service|timer|socket|ini)$|\/Caddyfile$|^\.ci\/[\w-]+$|(?:^|\/)\.npmrc$/.test(path);
  return isMarkedByHash ? /^\s*[#;]+(?!!)\s?/ : null;
}

function joinMarkedLines(source: string, mark: RegExp): Text[] {
  const blocks: { line: number; lines: string[] }[] = [];
  source.split("\n").forEach((content, index) => {
    const found = mark.exec(content);
    if (!found) {
      return;
    }
    const last = blocks.at(-1);
    if (last && last.line + last.lines.length === index + 1) {
      last.lines.push(content.slice(found[0].length));
    } else {
      blocks.push({ line: index + 1, lines: [content.slice(found[0].length)] });
    }
  });
  return blocks.flatMap(({ line, lines }) => splitParagraphs("comment", line, lines));
}
