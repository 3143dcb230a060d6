import { presentLedgerTransaction } from "@gateway/platform/ledger";
import type { OperationHandler } from "../operation.ts";
import { answerOne } from "../answer.ts";

export const reverseLedgerTransaction: OperationHandler<"reverseLedgerTransaction"> = answerOne(
  "ledger transaction",
  ({ accountId, ledgerTransactionId: id }, { ledger }) => ledger.transactions.reverse({ accountId, id }),
  presentLedgerTransaction,
);
