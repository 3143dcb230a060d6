import { presentLedgerTransaction } from "@gateway/platform/ledger";
import { answerOne, type OperationHandler } from "../operation.ts";

export const getLedgerTransaction: OperationHandler<"getLedgerTransaction"> = answerOne(
  "ledger transaction",
  ({ accountId, ledgerTransactionId: id }, { ledger }) => ledger.transactions.get({ accountId, id }),
  presentLedgerTransaction,
);
