import { useEffect, useRef } from "react";

/** Hears keys that are pressed, all the while or while `isWanted`; what `onKey` answers with true goes no further. */
export function useKeyDown(
  onKey: (event: KeyboardEvent) => boolean | void,
  { isWanted = true, capture = false }: { isWanted?: boolean; capture?: boolean } = {},
): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (latest.current(event)) {
        event.preventDefault();
      }
    };
    if (isWanted) {
      document.addEventListener("keydown", listen, { capture });
    }
    return () => document.removeEventListener("keydown", listen, { capture });
  }, [isWanted, capture]);
}

/** The key that alone means something, or null: with a modifier, in a dialog, while typing, or switched off. */
export function loneKey(event: KeyboardEvent): string | null {
  const { ctrlKey, metaKey, altKey, key } = event;
  const isLone = !ctrlKey && !metaKey && !altKey && !isDialogOpen() && !isTyping(event);
  return isLone && document.documentElement.dataset["keys"] !== "off" ? key : null;
}

/** Menus that are closed stay in the document, hidden. */
function isDialogOpen(): boolean {
  return Array.from(document.querySelectorAll("[data-dialog]")).some((dialog) => dialog.checkVisibility());
}

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
