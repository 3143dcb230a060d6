import { presentLedgerAccount } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listLedgerAccounts: OperationHandler<"listLedgerAccounts"> = async ({ input, principal, deps }) => {
  const page = await deps.ledger.accounts.list({ accountId: principal.accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentLedgerAccount),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
