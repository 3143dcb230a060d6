import { useEffect, useState } from "react";
import type { ModalOptions } from "./dialog.tsx";
import { lazyPart } from "../page/lazy-part.tsx";

export const loadDialog = () => import("./dialog.tsx");
const Dialog = lazyPart(loadDialog, "Dialog");

/** Holds the focus while it is open, and gives it back to what opened it. */
export function Modal(options: ModalOptions) {
  useFocusBack(options.returnTo ?? null);
  return <Dialog {...options} />;
}

function useFocusBack(returnTo: Element | null): void {
  const [before] = useState(() => returnTo ?? document.activeElement);
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement && before.isConnected) {
          before.focus();
        }
      });
    },
    [before],
  );
}
