import { presentLedgerAccount } from "@gateway/platform/ledger";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listLedgerAccounts: OperationHandler<"listLedgerAccounts"> = answerPage(
  (query, { ledger }) => ledger.accounts.list(query),
  presentLedgerAccount,
);
