import type { OperationHandler } from "../operation.ts";
import { presentAuditEvent } from "@gateway/platform/audit";
import { answerOne } from "../answer.ts";

export const getAuditEvent: OperationHandler<"getAuditEvent"> = answerOne(
  "audit event",
  ({ accountId, auditEventId: id }, { audit }) => audit.get({ accountId, id }),
  presentAuditEvent,
);
