import { loneKey, useKeyDown } from "../page/keyboard.ts";
import { useToast } from "../shown/toasts.tsx";

/** j and k walk the rows, c copies the id of the row, / goes to the first filter, Escape closes what is open. */
export function useListKeys({ isOpen, close }: { isOpen: boolean; close(): void }): void {
  const toast = useToast();
  useKeyDown((event) => {
    const key = loneKey(event);
    const rows = Array.from(document.querySelectorAll<HTMLElement>(".row-link"));
    const at = rows.findIndex((row) => row === document.activeElement);
    if (key === "j" || key === "k") {
      const next = at === -1 ? rows.findIndex(isBelowBar) : at + (key === "j" ? 1 : -1);
      rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus();
    } else if (key === "c") {
      const id = rows[at]?.dataset["id"] ?? new URLSearchParams(location.search).get("open");
      if (id) {
        navigator.clipboard.writeText(id).then(
          () => toast(`${id} is copied.`),
          () => toast("This browser does not let it be copied."),
        );
      }
    } else if (key === "/") {
      document.querySelector<HTMLElement>(".filter")?.focus();
    } else if (key === "Escape" && isOpen) {
      close();
    } else {
      return false;
    }
    return true;
  });
}

/** Walking begins at the first row in sight. The bar at the top hides what is under it. */
function isBelowBar(row: HTMLElement): boolean {
  return row.getBoundingClientRect().top >= 52;
}
