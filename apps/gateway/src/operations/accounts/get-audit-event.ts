import { Problem } from "@gateway/contract";
import type { OperationHandler } from "../operation.ts";
import { presentAuditEvent } from "@gateway/platform";

export const getAuditEvent: OperationHandler<"getAuditEvent"> = async ({ input, principal, deps }) => {
  const event = await deps.audit.get({ id: input.path.auditEventId, accountId: principal.accountId });
  if (!event) {
    throw new Problem("NOT_FOUND", "There is no audit event with this id in this account.");
  }
  return { status: 200, data: presentAuditEvent(event) };
};
