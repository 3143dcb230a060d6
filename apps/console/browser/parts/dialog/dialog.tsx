import { Dialog as AriaDialog, DialogDismiss, DialogHeading } from "@ariakit/react";
import { Icon } from "../shown/icon.tsx";
import type { ModalOptions } from "./modal.tsx";

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
