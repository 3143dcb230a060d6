import { presentTransfer } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listTransfers: OperationHandler<"listTransfers"> = async ({ input, principal, deps }) => {
  const { accountId } = principal;
  const page = await deps.custody.transfers.list({ accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentTransfer),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
