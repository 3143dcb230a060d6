import { presentLedgerTransaction } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { noSuchLedgerTransaction } from "./no-such-ledger-transaction.ts";

export const getLedgerTransaction: OperationHandler<"getLedgerTransaction"> = async ({ input, principal, deps }) => {
  const own = { id: input.path.ledgerTransactionId, accountId: principal.accountId };
  const transaction = await deps.ledger.transactions.get(own);
  if (!transaction) {
    throw noSuchLedgerTransaction();
  }
  return { status: 200, data: presentLedgerTransaction(transaction) };
};
