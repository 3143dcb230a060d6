import { presentValuation } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listValuations: OperationHandler<"listValuations"> = async ({ input, principal, deps }) => {
  const page = await deps.portfolio.valuations.list({ accountId: principal.accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentValuation),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
