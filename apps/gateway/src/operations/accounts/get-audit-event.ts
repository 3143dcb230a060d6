import { presentAuditEvent } from "@gateway/platform/audit";
import { answerOne, type OperationHandler } from "../operation.ts";

export const getAuditEvent: OperationHandler<"getAuditEvent"> = answerOne(
  "audit event",
  ({ accountId, auditEventId: id }, { audit }) => audit.get({ accountId, id }),
  presentAuditEvent,
);
