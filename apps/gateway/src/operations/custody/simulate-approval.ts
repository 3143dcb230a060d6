import { presentApproval } from "@gateway/platform/custody";
import { answerOne, type OperationHandler } from "../operation.ts";

export const simulateApproval: OperationHandler<"simulateApproval"> = answerOne(
  "approval",
  ({ accountId, approvalId: id }, { custody }, { body }) =>
    custody.approvals.decide({ accountId, id, personId: null, decision: body.outcome, comment: null }),
  presentApproval,
);
