import { presentBar } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listBars: OperationHandler<"listBars"> = async ({ input, principal, deps }) => {
  const page = await deps.marketData.bars.list({ accountId: principal.accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentBar),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
