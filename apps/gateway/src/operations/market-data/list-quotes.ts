import { presentQuote } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listQuotes: OperationHandler<"listQuotes"> = async ({ input, principal, deps }) => {
  const page = await deps.marketData.quotes.list({ accountId: principal.accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentQuote),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
