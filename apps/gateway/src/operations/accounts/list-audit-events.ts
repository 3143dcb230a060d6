import type { OperationHandler } from "../operation.ts";
import { presentAuditEvent } from "@gateway/platform";

export const listAuditEvents: OperationHandler<"listAuditEvents"> = async ({ input, principal, deps }) => {
  const page = await deps.audit.list({ accountId: principal.accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentAuditEvent),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
