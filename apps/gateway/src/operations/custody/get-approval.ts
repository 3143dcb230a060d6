import { presentApproval } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { noSuchApproval } from "./no-such-approval.ts";

export const getApproval: OperationHandler<"getApproval"> = async ({ input, principal, deps }) => {
  const own = { id: input.path.approvalId, accountId: principal.accountId };
  const approval = await deps.custody.approvals.get(own);
  if (!approval) {
    throw noSuchApproval();
  }
  return { status: 200, data: presentApproval(approval) };
};
