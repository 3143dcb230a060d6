import { presentCounterparty } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listCounterparties: OperationHandler<"listCounterparties"> = async ({ input, principal, deps }) => {
  const { accountId } = principal;
  const page = await deps.orchestra.counterparties.list({ accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentCounterparty),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
