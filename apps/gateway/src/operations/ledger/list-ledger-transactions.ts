import { presentLedgerTransaction } from "@gateway/platform/ledger";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listLedgerTransactions: OperationHandler<"listLedgerTransactions"> = answerPage(
  (query, { ledger }) => ledger.transactions.list(query),
  presentLedgerTransaction,
);
