import { presentAuditEvent } from "@gateway/platform/audit";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listAuditEvents: OperationHandler<"listAuditEvents"> = answerPage(
  (query, { audit }) => audit.list(query),
  presentAuditEvent,
);
