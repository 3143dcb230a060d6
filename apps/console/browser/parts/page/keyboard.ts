import { useEffect, useRef } from "react";

/** Listens for keys while `isWanted`. Returning true from `onKey` prevents the browser's own action. */
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

/**
 * The key when it was pressed alone. Null with a modifier, in a dialog, while typing, or when such keys are switched
 * off.
 */
export function loneKey(event: KeyboardEvent): string | null {
  const { ctrlKey, metaKey, altKey, key } = event;
  const isLone = !ctrlKey && !metaKey && !altKey && !isDialogOpen() && !isTyping(event);
  return isLone && document.documentElement.dataset["keys"] !== "off" ? key : null;
}

/** Closed menus stay in the document, hidden. */
function isDialogOpen(): boolean {
  return Array.from(document.querySelectorAll("[data-dialog]")).some((dialog) => dialog.checkVisibility());
}

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
