import { CopyButton } from "../shown/copy-button.tsx";
import { Modal } from "./modal.tsx";

/**
 * Shows a secret, this once. It is nowhere but in the state of who opened this: neither in the address, nor in what
 * the browser stores, nor in what answers are kept in. Neither Escape nor a click beside it closes it.
 */
export function SecretDialog({
  title,
  secret,
  children,
  onClose,
}: {
  title: string;
  secret: string;
  children: React.ReactNode;
  onClose(): void;
}) {
  return (
    <Modal title={title} onClose={onClose} isSticky>
      <div className="dialog-text">{children}</div>
      <div className="secret">
        <code aria-label="Secret">{secret}</code>
        <CopyButton text={secret} quiet={false} />
      </div>
      <footer className="dialog-footer">
        <button type="button" className="button primary" onClick={onClose}>
          I have stored it
        </button>
      </footer>
    </Modal>
  );
}
