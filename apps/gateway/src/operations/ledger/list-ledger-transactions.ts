import { presentLedgerTransaction } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listLedgerTransactions: OperationHandler<"listLedgerTransactions"> = async ({
  input,
  principal,
  deps,
}) => {
  const page = await deps.ledger.transactions.list({ accountId: principal.accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentLedgerTransaction),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
