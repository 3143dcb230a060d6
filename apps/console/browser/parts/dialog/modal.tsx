import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";
import { whenOnline } from "../../data/when-online.ts";

export type ModalOptions = {
  title: string;
  children: ReactNode;
  onClose(): void;
  /** What is shown once is not lost by Escape or a click beside it: then only what is in the dialog closes it. */
  isSticky?: boolean;
  isWide?: boolean;
  /** What gets the focus back, where this stands in the place of another dialog; what had it, unless said. */
  returnTo?: Element | null;
};

export const loadDialog = () => import("./dialog.tsx");
const Dialog = lazy(() => whenOnline(loadDialog).then(({ Dialog: component }) => ({ default: component })));

/** Holds the focus while it is open, and gives it back to what opened it. What makes it a dialog is loaded behind the page. */
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
