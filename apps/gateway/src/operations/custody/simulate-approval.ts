import { presentApproval } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { noSuchApproval } from "./no-such-approval.ts";

export const simulateApproval: OperationHandler<"simulateApproval"> = async ({ input, principal, deps }) => {
  const approval = await deps.custody.approvals.decide({
    id: input.path.approvalId,
    accountId: principal.accountId,
    personId: null,
    decision: input.body.outcome,
    comment: null,
  });
  if (!approval) {
    throw noSuchApproval();
  }
  return { status: 200, data: presentApproval(approval) };
};
