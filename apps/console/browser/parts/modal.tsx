import { Dialog, DialogDismiss, DialogHeading } from "@ariakit/react";
import { useEffect, useState, type ReactNode } from "react";
import { Icon } from "./icon.tsx";

type Options = {
  title: string;
  children: ReactNode;
  onClose(): void;
  /** What is shown once is not lost by Escape or a click beside it: then only what is in the dialog closes it. */
  isSticky?: boolean;
  isWide?: boolean;
  /** What gets the focus back, where this stands in the place of another dialog; what had it, unless said. */
  returnTo?: Element | null;
};

/** Holds the focus while it is open, and gives it back to what opened it. */
export function Modal({ title, children, onClose, isSticky = false, isWide = false, returnTo = null }: Options) {
  useFocusBack(returnTo);
  return (
    <Dialog
      open
      onClose={onClose}
      {...(returnTo instanceof HTMLElement && { finalFocus: returnTo })}
      hideOnEscape={!isSticky}
      hideOnInteractOutside={!isSticky}
      backdrop={<div className="backdrop" />}
      className={isWide ? "dialog wide" : "dialog"}
    >
      <header className="dialog-header">
        <DialogHeading className="dialog-title" render={<h2 />}>
          {title}
        </DialogHeading>
        {!isSticky && (
          <DialogDismiss className="icon-button" aria-label="Close">
            <Icon name="close" />
          </DialogDismiss>
        )}
      </header>
      <div className="dialog-body">{children}</div>
    </Dialog>
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
