import { useEffect, useState } from "react";
import { Icon } from "./icon.tsx";

/** Copies a text, and says so for two seconds. Where the clipboard is refused it says that: the text is there to be marked. */
export function CopyButton({ text, label = "Copy", quiet = true }: { text: string; label?: string; quiet?: boolean }) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    const timer = said === null ? undefined : setTimeout(() => setSaid(null), 2000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setSaid("Copied"),
      () => setSaid("Not allowed here"),
    );
  };
  return (
    <button type="button" className={quiet ? "button small quiet" : "button small"} onClick={copy}>
      <Icon name={said === "Copied" ? "check" : "copy"} size={14} />
      <span aria-live="polite">{said ?? label}</span>
    </button>
  );
}

/** An id that is marked whole by a click, with its button. */
export function CopyableId({ id }: { id: string }) {
  return (
    <span className="copyable-id">
      <code>{id}</code>
      <IdButton id={id} />
    </span>
  );
}

function IdButton({ id }: { id: string }) {
  const [isCopied, setIsCopied] = useState(false);
  return (
    <button
      type="button"
      className="icon-button tiny"
      aria-label={isCopied ? "Copied" : `Copy ${id}`}
      onClick={() => void navigator.clipboard.writeText(id).then(() => setIsCopied(true))}
    >
      <Icon name={isCopied ? "check" : "copy"} size={13} />
    </button>
  );
}
