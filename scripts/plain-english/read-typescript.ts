import { parseSync } from "rolldown/utils";
import { splitParagraphs, type Text } from "./text.ts";

type Comment = { type: "Line" | "Block"; value: string; start: number; end: number };
type Node = { type: string; start: number; end: number; quasis?: Node[]; [part: string]: unknown };

/**
 * The comments of TypeScript and JavaScript and, with `hasMessages`, the strings that read like prose: messages,
 * screens, mails and help texts. Tests are read without them, because their strings are data.
 */
export function readTypeScript(path: string, source: string, hasMessages: boolean): Text[] {
  const parsed = parseSync(path, source);
  const lineOf = createLineIndex(source);
  const comments = joinLineComments(parsed.comments, source).flatMap((comment) => {
    const lines = commentLines(comment.value);
    return isDirective(comment.value) ? [] : splitParagraphs("comment", lineOf(comment.start), lines);
  });
  return hasMessages && isNode(parsed.program)
    ? [...comments, ...readMessages(parsed.program, source, lineOf)]
    : comments;
}

/** The line of an offset, from 1. */
function createLineIndex(source: string): (offset: number) => number {
  const starts = [0, ...Array.from(source.matchAll(/\n/g), ({ index }) => index + 1)];
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      [low, high] = (starts[middle] ?? 0) <= offset ? [middle, high] : [low, middle - 1];
    }
    return low + 1;
  };
}

/** Joins `//` comments on adjacent lines of their own: people read them as one text. */
function joinLineComments(comments: Comment[], source: string): Comment[] {
  const joined: Comment[] = [];
  for (const comment of comments) {
    const last = joined.at(-1);
    const isAlone = /(?:^|\n)[ \t]*$/.test(source.slice(Math.max(0, comment.start - 200), comment.start));
    if (
      last?.type === "Line" &&
      comment.type === "Line" &&
      isAlone &&
      /^\n[ \t]*$/.test(source.slice(last.end, comment.start))
    ) {
      last.value += `\n${comment.value}`;
      last.end = comment.end;
    } else {
      joined.push({ ...comment });
    }
  }
  return joined;
}

function commentLines(value: string): string[] {
  return value.split("\n").map((line) => line.replace(/^\s*\*+(?=\s|$)/, "").trim());
}

/** Instructions to tools, not prose. */
function isDirective(value: string): boolean {
  return /^[*!\s]*(?:@ts-|@vite|oxlint-|eslint-|v8 |[#@]__PURE__|#region|#endregion|\/ ?<)/.test(value);
}

const functionWord =
  /(?:^|\s)(?:the|a|an|is|are|was|of|to|in|on|for|and|or|not|no|this|that|it|its|your|you|with|by|has|have|be|who|what|when|there|from|at)(?=[\s.,]|$)/i;
const statement =
  /^\s*(?:select|insert|update|delete|with|create|alter|drop|grant|revoke|from|where|and|or|set|values|join|left join|order by|on|begin|commit|lock|notify|listen|vacuum|analyze)\b(?!.*\.$)/i;

/** Prose has three words at least, one of which joins others, and is neither a statement of SQL nor a program. */
function isProse(lines: readonly string[]): boolean {
  const text = lines.join(" ");
  const isStatement = statement.test(text) && !/^\s*[A-Z][a-z]/.test(text);
  return /\S+\s+\S+\s+\S/.test(text) && functionWord.test(text) && !isStatement && !isProgram(lines);
}

/** Programs in other languages, such as Lua for Redis: half of their lines assign, call or end a block. */
function isProgram(lines: readonly string[]): boolean {
  const code = lines.filter((line) => / :?= |^(?:end|else|begin|declare|local|return)\b|[;{(]$/.test(line.trim()));
  return lines.length > 2 && code.length * 2 >= lines.length;
}

function readMessages(program: Node, source: string, lineOf: (offset: number) => number): Text[] {
  const texts: Text[] = [];
  const add = (node: Node, content: string): void => {
    let line = lineOf(node.start);
    for (const block of withoutMarkup(content).split("¶")) {
      for (const text of splitParagraphs(
        "message",
        line,
        block.split("\n").map((one) => one.trim()),
      )) {
        if (isProse(text.lines)) {
          texts.push(text);
        }
      }
      line += block.split("\n").length - 1;
    }
  };
  const visit = (node: Node): void => {
    if (node.type === "Literal" && typeof node["value"] === "string") {
      add(node, source.slice(node.start + 1, node.end - 1));
    } else if (node.type === "JSXText") {
      add(node, source.slice(node.start, node.end));
    } else if (node.type === "TemplateLiteral") {
      add(node, templateText(node, source));
    }
    if (node.type === "TaggedTemplateExpression" && /^sql\b/.test(source.slice(node.start, node.start + 4))) {
      return;
    }
    if (!/^(?:Import|ExportAll|TS(?!As|Satisfies|NonNull))/.test(node.type)) {
      forEachChild(node, visit);
    }
  };
  visit(program);
  return texts;
}

/** The text of a template with each expression as one placeholder; its line breaks stay. */
function templateText(node: Node, source: string): string {
  const { quasis = [] } = node;
  return quasis
    .map((quasi, index) => {
      const text = source
        .slice(quasi.start, quasi.end)
        .replace(/^[`}]/, "")
        .replace(/(?:`|\$\{)$/, "");
      const next = quasis[index + 1];
      const breaks = next ? source.slice(quasi.end, next.start).replaceAll(/[^\n]/g, "") : "";
      return next ? `${text}\${x}${breaks.replaceAll("\n", " ")}` : text;
    })
    .join("");
}

/** Leaves the words of HTML: a tag within a sentence becomes a space, any other one ends a paragraph. */
function withoutMarkup(text: string): string {
  return text
    .replaceAll(/<\/?(?:a|b|em|strong|code|span|time|abbr|kbd|br)\b[^<>]*>/g, " ")
    .replaceAll(/<\/?[a-z!][^<>]*>/gi, (tag) => `¶${tag.replaceAll(/[^\n]/g, "")}`)
    .replaceAll(/\\[nt]/g, "  ")
    .replaceAll(/\\(["'`$])/g, "$1");
}

function forEachChild(node: Node, visit: (child: Node) => void): void {
  for (const [key, value] of Object.entries(node)) {
    if (key === "type" || value === null || typeof value !== "object") {
      continue;
    }
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) {
        visit(child);
      }
    }
  }
}

/** Only nodes of ESTree have a type, and the parser gives each a start and an end. */
function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
