import { presentLedgerTransaction } from "@gateway/platform/ledger";
import type { OperationHandler } from "../operation.ts";
import { answerOne } from "../answer.ts";

export const getLedgerTransaction: OperationHandler<"getLedgerTransaction"> = answerOne(
  "ledger transaction",
  ({ accountId, ledgerTransactionId: id }, { ledger }) => ledger.transactions.get({ accountId, id }),
  presentLedgerTransaction,
);
