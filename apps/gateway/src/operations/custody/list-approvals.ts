import { presentApproval } from "@gateway/platform/custody";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listApprovals: OperationHandler<"listApprovals"> = answerPage(
  (query, { custody }) => custody.approvals.list(query),
  presentApproval,
);
