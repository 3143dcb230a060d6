import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";

type Options = {
  /** What is copied. */
  text: string;
  /** What the code is, for those who hear it. */
  label: string;
  /** In the bar above it. */
  bar: ReactNode;
  /** The text with its colours, if it has some. */
  children?: ReactNode;
};

/** Code as it is, which a press copies. */
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
