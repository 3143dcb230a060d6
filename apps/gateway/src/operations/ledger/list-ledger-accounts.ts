import { presentLedgerAccount } from "@gateway/platform/ledger";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listLedgerAccounts: OperationHandler<"listLedgerAccounts"> = answerPage(
  (query, { ledger }) => ledger.accounts.list(query),
  presentLedgerAccount,
);
