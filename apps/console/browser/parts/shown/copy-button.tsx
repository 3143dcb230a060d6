import { useEffect, useState } from "react";
import { Icon } from "./icon.tsx";

/** Copies `text`, and shows for two seconds that it did, or that the browser refused. */
export function CopyButton({ text, label = "Copy", quiet = true }: { text: string; label?: string; quiet?: boolean }) {
  const [said, copy] = useCopy(text);
  return (
    <button type="button" className={quiet ? "button small quiet" : "button small"} onClick={copy}>
      <Icon name={said === "Copied" ? "check" : "copy"} size={14} />
      <span aria-live="polite">{said ?? label}</span>
    </button>
  );
}

function useCopy(text: string): [said: "Copied" | "Not allowed here" | null, copy: () => void] {
  const [said, setSaid] = useState<"Copied" | "Not allowed here" | null>(null);
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
  return [said, copy];
}

export function CopyableId({ id }: { id: string }) {
  return (
    <span className="copyable-id">
      <code>{id}</code>
      <CopyIdButton id={id} />
    </span>
  );
}

export function CopyIdButton({ id }: { id: string }) {
  const [said, copy] = useCopy(id);
  return (
    <button type="button" className="icon-button tiny" aria-label={said ?? `Copy ${id}`} onClick={copy}>
      <Icon name={said === "Copied" ? "check" : "copy"} size={13} />
    </button>
  );
}
