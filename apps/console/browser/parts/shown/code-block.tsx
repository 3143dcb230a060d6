import { type ReactNode, useMemo } from "react";
import { CopyButton } from "./values.tsx";

type Options = {
  text: string;
  label: string;
  bar: ReactNode;
  children?: ReactNode;
};

export function CodeBlock({ text, label, bar, children }: Options) {
  return (
    <div className="code">
      <div className="code-bar">
        {typeof bar === "string" ? <span className="code-label">{bar}</span> : bar}
        <CopyButton text={text} />
      </div>
      <pre tabIndex={0} aria-label={label}>
        <code>{children ?? text}</code>
      </pre>
    </div>
  );
}

/**
 * The coloured tokens of JSON, in one line or many. A string may lack its end, because the user may still be typing it.
 */
export const jsonTokens = /("(?:[^"\\\n]|\\.)*"?)(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;

export function classOfToken([, quoted, colon]: RegExpMatchArray): string {
  return quoted === undefined ? "json-number" : colon === undefined ? "json-string" : "json-name";
}

/** JSON, unchanged and coloured. It is only ever text, whatever it contains. */
export function JsonView({ value, label = "JSON" }: { value: unknown; label?: string }) {
  const text = useMemo(() => JSON.stringify(value, null, 2) ?? "", [value]);
  return (
    <CodeBlock text={text} label={label} bar={label}>
      {text.length > longestColoured ? <LongText text={text} /> : colour(text)}
    </CodeBlock>
  );
}

/** The customer's own data about an object. Renders nothing when it is empty. */
export function Metadata({ of }: { of: Readonly<Record<string, unknown>> }) {
  return Object.keys(of).length > 0 ? <JsonView value={of} label="Metadata" /> : null;
}

/** Above this length, colours would cost more than they help. */
const longestColoured = 60_000;

const linesOfPart = 100;
const longestLine = 4000;
const lineHeightPx = 20;

/**
 * Keeps the whole text in the document, so that the browser's search finds it, and lays out only the part in sight
 * (`content-visibility`). An endless line is broken on the screen only: the button copies it without breaks.
 */
function LongText({ text }: { text: string }) {
  const parts = useMemo(() => partsOf(text), [text]);
  return parts.map((lines, index) => (
    <span
      key={index}
      className="code-part"
      style={{ containIntrinsicHeight: `auto ${lines.length * lineHeightPx}px`, lineHeight: `${lineHeightPx}px` }}
    >
      {lines.join("\n")}
    </span>
  ));
}

function partsOf(text: string): string[][] {
  const lines = text.split("\n").flatMap((line) => (line.length > longestLine ? brokenLines(line) : line));
  return Array.from({ length: Math.ceil(lines.length / linesOfPart) }, (_, index) =>
    lines.slice(index * linesOfPart, (index + 1) * linesOfPart),
  );
}

function brokenLines(line: string): string[] {
  return Array.from({ length: Math.ceil(line.length / longestLine) }, (_, index) =>
    line.slice(index * longestLine, (index + 1) * longestLine),
  );
}

function colour(text: string) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(jsonTokens)) {
    parts.push(text.slice(end, match.index));
    end = match.index + match[0].length;
    parts.push(
      <span key={match.index} className={classOfToken(match)}>
        {match[0]}
      </span>,
    );
  }
  return [...parts, text.slice(end)];
}
