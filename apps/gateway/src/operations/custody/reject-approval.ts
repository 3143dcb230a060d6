import { presentApproval } from "@gateway/platform/custody";
import { found, personOf, type OperationHandler } from "../operation.ts";

export const rejectApproval: OperationHandler<"rejectApproval"> = async ({ input, principal, deps }) => {
  const own = { id: input.path.approvalId, accountId: principal.accountId, personId: personOf(principal) };
  const { comment = null } = input.body;
  const decided = await deps.custody.approvals.decide({ ...own, decision: "rejected", comment });
  return { status: 200, data: presentApproval(found("approval", decided)) };
};
