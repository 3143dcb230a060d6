import { presentDepositAddress } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listDepositAddresses: OperationHandler<"listDepositAddresses"> = async ({ input, principal, deps }) => {
  const page = await deps.custody.depositAddresses.list({ accountId: principal.accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentDepositAddress),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
