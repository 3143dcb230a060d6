import type { ReactNode } from "react";
import type { OperationId } from "../../data/operation-row.ts";
import { isHere } from "../../data/permissions.ts";
import { useSession, useWhyNot } from "../page/session-context.tsx";

export type ActionButtonOptions = {
  /**
   * Disabled when the person's role does not suffice, with the role needed. Absent in production when only the sandbox
   * has it.
   */
  operationId: OperationId;
  children: ReactNode;
  onClick(): void;
  kind?: "primary" | "danger" | "plain";
  small?: boolean;
  /** The reason why it cannot be done now, for any role. */
  unavailable?: string | null;
};

export function ActionButton(options: ActionButtonOptions) {
  const { operationId, children, onClick, kind = "plain", small = false, unavailable = null } = options;
  const session = useSession();
  const reason = useWhyNot(operationId) ?? unavailable;
  const className = ["button", kind === "plain" ? "" : kind, small ? "small" : ""].filter(Boolean).join(" ");
  return isHere(session, operationId) ? (
    <button
      type="button"
      className={className}
      data-operation={operationId}
      aria-disabled={reason !== null}
      title={reason ?? undefined}
      aria-description={reason ?? undefined}
      onClick={reason === null ? onClick : undefined}
    >
      {children}
    </button>
  ) : null;
}
