/** Whether a key alone may act: not with a modifier, not inside a dialog, not when the person switched it off. */
export function usesKeys(event: KeyboardEvent): boolean {
  return (
    !event.ctrlKey &&
    !event.metaKey &&
    !event.altKey &&
    !isDialogOpen() &&
    document.documentElement.dataset["keys"] !== "off"
  );
}

/** Menus that are closed stay in the document, hidden. */
function isDialogOpen(): boolean {
  return Array.from(document.querySelectorAll("[data-dialog]")).some((dialog) => dialog.checkVisibility());
}

export function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
