import { presentApproval } from "@gateway/platform/custody";
import type { OperationHandler } from "../operation.ts";
import { answerOne } from "../answer.ts";

export const getApproval: OperationHandler<"getApproval"> = answerOne(
  "approval",
  ({ accountId, approvalId: id }, { custody }) => custody.approvals.get({ accountId, id }),
  presentApproval,
);
