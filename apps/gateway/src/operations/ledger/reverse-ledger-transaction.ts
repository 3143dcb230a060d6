import { presentLedgerTransaction } from "@gateway/platform/ledger";
import { answerOne, type OperationHandler } from "../operation.ts";

export const reverseLedgerTransaction: OperationHandler<"reverseLedgerTransaction"> = answerOne(
  "ledger transaction",
  ({ accountId, ledgerTransactionId: id }, { ledger }) => ledger.transactions.reverse({ accountId, id }),
  presentLedgerTransaction,
);
