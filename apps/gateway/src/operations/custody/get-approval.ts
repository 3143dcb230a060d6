import { presentApproval } from "@gateway/platform/custody";
import { answerOne, type OperationHandler } from "../operation.ts";

export const getApproval: OperationHandler<"getApproval"> = answerOne(
  "approval",
  ({ accountId, approvalId: id }, { custody }) => custody.approvals.get({ accountId, id }),
  presentApproval,
);
