import { presentLedgerTransaction } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { noSuchLedgerTransaction } from "./no-such-ledger-transaction.ts";

export const reverseLedgerTransaction: OperationHandler<"reverseLedgerTransaction"> = async ({
  input,
  principal,
  deps,
}) => {
  const own = { id: input.path.ledgerTransactionId, accountId: principal.accountId };
  const reversal = await deps.ledger.transactions.reverse(own);
  if (!reversal) {
    throw noSuchLedgerTransaction();
  }
  return { status: 200, data: presentLedgerTransaction(reversal) };
};
