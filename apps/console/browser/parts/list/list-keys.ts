import { useEffect, useRef } from "react";
import { isTyping, usesKeys } from "../page/keyboard.ts";
import { useToast } from "../shown/toasts.tsx";

/** j and k walk the rows, c copies the id of the row, / goes to the first filter, Escape closes what is open. */
export function useListKeys({ isOpen, close }: { isOpen: boolean; close(): void }): void {
  const toast = useToast();
  const latest = useRef({ isOpen, close, toast });
  latest.current = { isOpen, close, toast };
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!usesKeys(event) || isTyping(event)) {
        return;
      }
      const rows = Array.from(document.querySelectorAll<HTMLElement>(".row-link"));
      const at = rows.findIndex((row) => row === document.activeElement);
      if (event.key === "j" || event.key === "k") {
        const next = at === -1 ? rows.findIndex(isBelowBar) : at + (event.key === "j" ? 1 : -1);
        rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus();
      } else if (event.key === "c") {
        const id = rows[at]?.dataset["id"] ?? new URLSearchParams(location.search).get("open");
        if (id) {
          navigator.clipboard.writeText(id).then(
            () => latest.current.toast(`${id} is copied.`),
            () => latest.current.toast("This browser does not let it be copied."),
          );
        }
      } else if (event.key === "/") {
        document.querySelector<HTMLElement>(".filter")?.focus();
      } else if (event.key === "Escape" && latest.current.isOpen) {
        latest.current.close();
      } else {
        return;
      }
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

/** Walking begins at the first row in sight. The bar at the top hides what is under it. */
function isBelowBar(row: HTMLElement): boolean {
  return row.getBoundingClientRect().top >= 52;
}
