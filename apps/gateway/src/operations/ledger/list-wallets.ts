import type { OperationHandler } from "../operation.ts";
import { presentWallet } from "@gateway/platform";

export const listWallets: OperationHandler<"listWallets"> = async ({ input, principal, deps }) => {
  const { limit, cursor } = input.query;
  const page = await deps.ledger.wallets.list({ accountId: principal.accountId, limit, cursor });
  return {
    status: 200,
    data: page.items.map(presentWallet),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
