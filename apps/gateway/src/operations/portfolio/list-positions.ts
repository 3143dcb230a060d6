import { presentPosition } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listPositions: OperationHandler<"listPositions"> = async ({ input, principal, deps }) => {
  const page = await deps.portfolio.positions.list({ accountId: principal.accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentPosition),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
