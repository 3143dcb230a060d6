import { presentApproval } from "@gateway/platform/custody";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listApprovals: OperationHandler<"listApprovals"> = answerPage(
  (query, { custody }) => custody.approvals.list(query),
  presentApproval,
);
