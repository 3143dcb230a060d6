import { CopyButton } from "../shown/values.tsx";
import { Modal } from "./modal.tsx";

/** Shows a secret once. It is only in the state of its opener: not in address, storage or cache. */
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
