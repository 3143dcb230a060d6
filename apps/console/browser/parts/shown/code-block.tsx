import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";

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
