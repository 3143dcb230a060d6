import { presentFill } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listFills: OperationHandler<"listFills"> = async ({ input, principal, deps }) => {
  const { accountId } = principal;
  const page = await deps.execution.fills.list({ accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentFill),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
