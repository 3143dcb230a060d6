import type { OperationHandler } from "../operation.ts";
import { presentAuditEvent } from "@gateway/platform/audit";
import { answerPage } from "../answer.ts";

export const listAuditEvents: OperationHandler<"listAuditEvents"> = answerPage(
  (query, { audit }) => audit.list(query),
  presentAuditEvent,
);
