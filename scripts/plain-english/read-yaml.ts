import { Lexer, isMap, isPair, isScalar, isSeq, parseDocument, visit, type Scalar } from "yaml";
import { readMarkdown } from "./read-markdown.ts";
import { splitParagraphs, type Text } from "./text.ts";

const described = /^(?:description|summary|x-.+|tagline|details)$/;

/** The comments of YAML and, with `hasDescriptions`, what the documents say to people. Examples are data. */
export function readYaml(source: string, hasDescriptions: boolean): Text[] {
  return [...readComments(source), ...(hasDescriptions ? readDescriptions(source) : [])];
}

function readComments(source: string): Text[] {
  const texts: Text[] = [];
  let [line, isAfterMark] = [1, false];
  let block: { line: number; lines: string[] } | null = null;
  const close = (): void => {
    if (block) {
      texts.push(...splitParagraphs("comment", block.line, block.lines));
    }
    block = null;
  };
  for (const token of new Lexer().lex(source)) {
    if (token.startsWith("#") && !isAfterMark) {
      const content = token.replace(/^#+ ?/, "");
      if (block && block.line + block.lines.length === line) {
        block.lines.push(content);
      } else {
        close();
        block = { line, lines: [content] };
      }
    }
    isAfterMark = token === "\u001F";
    line += token.split("\n").length - 1;
  }
  close();
  return texts;
}

function readDescriptions(source: string): Text[] {
  const texts: Text[] = [];
  visit(parseDocument(source), {
    Pair(_key, { key, value }) {
      const name = isScalar(key) ? String(key.value) : "";
      if (/^(?:examples?|default|enum|const|pattern)$/.test(name)) {
        return visit.SKIP;
      }
      if (described.test(name)) {
        texts.push(...scalarsOf(value).flatMap((scalar) => readScalar(scalar, source)));
        return visit.SKIP;
      }
      return undefined;
    },
  });
  return texts;
}

/** The texts under a key: one scalar, or the values of a list or a map. */
function scalarsOf(value: unknown): Scalar[] {
  if (isScalar(value)) {
    return typeof value.value === "string" && /\S\s+\S/.test(value.value) ? [value] : [];
  }
  if (isSeq(value) || isMap(value)) {
    return value.items.flatMap((item) => scalarsOf(isPair(item) ? item.value : item));
  }
  return [];
}

function readScalar({ range, type }: Scalar, source: string): Text[] {
  const [start, end] = range ?? [0, 0];
  const line = source.slice(0, start).split("\n").length;
  const lines = source.slice(start, end).split("\n");
  if (type === "BLOCK_FOLDED" || type === "BLOCK_LITERAL") {
    const [, ...content] = lines;
    const indent = Math.min(
      ...content.filter((one) => one.trim() !== "").map((one) => /^ */.exec(one)?.[0].length ?? 0),
    );
    return readMarkdown(content.map((one) => one.slice(indent)).join("\n"), "description", line + 1);
  }
  const content = lines.map((one) => one.trim()).join("\n");
  return readMarkdown(/^["']/.test(content) ? content.slice(1, -1) : content, "description", line);
}
