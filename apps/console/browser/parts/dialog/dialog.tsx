import { Dialog as AriaDialog, DialogDismiss, DialogHeading } from "@ariakit/react";
import type { ReactNode } from "react";
import { Icon } from "../shown/icon.tsx";

export type ModalOptions = {
  title: string;
  children: ReactNode;
  onClose(): void;
  /**
   * Keeps content that is shown only once: Escape or a click outside do not close the dialog, only its own buttons do.
   */
  isSticky?: boolean;
  isWide?: boolean;
  /**
   * The element that gets the focus back when this dialog replaces another one. By default it is the one that had it.
   */
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
