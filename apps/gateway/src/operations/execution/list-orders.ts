import { presentOrder } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listOrders: OperationHandler<"listOrders"> = async ({ input, principal, deps }) => {
  const { accountId } = principal;
  const page = await deps.execution.orders.list({ accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentOrder),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
