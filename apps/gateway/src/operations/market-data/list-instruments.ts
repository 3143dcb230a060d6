import { presentInstrument } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listInstruments: OperationHandler<"listInstruments"> = async ({ input, principal, deps }) => {
  const page = await deps.marketData.instruments.page({ accountId: principal.accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentInstrument),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
