import { Dialog as AriaDialog, DialogDismiss, DialogHeading } from "@ariakit/react";
import type { ReactNode } from "react";
import { Icon } from "../shown/icon.tsx";

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

export function Dialog({ title, children, onClose, isSticky = false, isWide = false, returnTo = null }: ModalOptions) {
  return (
    <AriaDialog
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
    </AriaDialog>
  );
}
