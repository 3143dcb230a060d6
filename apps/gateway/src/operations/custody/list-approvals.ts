import { presentApproval } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listApprovals: OperationHandler<"listApprovals"> = async ({ input, principal, deps }) => {
  const { accountId } = principal;
  const page = await deps.custody.approvals.list({ accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentApproval),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
