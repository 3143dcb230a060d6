import { presentLedgerTransaction } from "@gateway/platform/ledger";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listLedgerTransactions: OperationHandler<"listLedgerTransactions"> = answerPage(
  (query, { ledger }) => ledger.transactions.list(query),
  presentLedgerTransaction,
);
