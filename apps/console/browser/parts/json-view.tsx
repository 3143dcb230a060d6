import { CopyButton } from "./copy-button.tsx";

/** JSON as it is, coloured; it is only ever text, whatever stands in it. */
export function JsonView({ value, label = "JSON" }: { value: unknown; label?: string }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <div className="code">
      <div className="code-bar">
        <span className="code-label">{label}</span>
        <CopyButton text={text} />
      </div>
      <pre tabIndex={0} aria-label={label}>
        <code>{text.length > longestColoured ? text : colour(text)}</code>
      </pre>
    </div>
  );
}

/** Above that, colours would cost more than they help: a megabyte is shown at once, as text. */
const longestColoured = 60_000;

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;

function colour(text: string) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    parts.push(text.slice(end, match.index));
    end = match.index + match[0].length;
    const [whole, quoted, colon] = match;
    const kind = quoted === undefined ? "json-number" : colon === undefined ? "json-string" : "json-name";
    parts.push(
      <span key={match.index} className={kind}>
        {whole}
      </span>,
    );
  }
  return [...parts, text.slice(end)];
}
