import { presentDeposit } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listDeposits: OperationHandler<"listDeposits"> = async ({ input, principal, deps }) => {
  const page = await deps.custody.deposits.list({ accountId: principal.accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentDeposit),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
