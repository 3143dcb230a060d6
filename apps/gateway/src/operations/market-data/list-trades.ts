import { presentMarketTrade } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listTrades: OperationHandler<"listTrades"> = async ({ input, principal, deps }) => {
  const page = await deps.marketData.trades.list({ accountId: principal.accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentMarketTrade),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
