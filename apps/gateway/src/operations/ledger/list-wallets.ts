import type { OperationHandler } from "../operation.ts";
import { presentWallet } from "@gateway/platform";

export const listWallets: OperationHandler<"listWallets"> = async ({ input, principal, deps }) => {
  const page = await deps.ledger.wallets.list({ accountId: principal.accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentWallet),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
