import { Suspense, useEffect, useState } from "react";
import type { ModalOptions } from "./dialog.tsx";
import { lazyPart } from "../page/lazy-part.ts";

export const loadDialog = () => import("./dialog.tsx");
const Dialog = lazyPart(loadDialog, "Dialog");

/**
 * Holds the focus while it is open, and gives it back to what opened it. What makes it a dialog is loaded behind the
 * page.
 */
export function Modal(options: ModalOptions) {
  useFocusBack(options.returnTo ?? null);
  return (
    <Suspense>
      <Dialog {...options} />
    </Suspense>
  );
}

/** The dialog is taken out of the page at once, whichever way it is left: who had the focus before has it again. */
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
