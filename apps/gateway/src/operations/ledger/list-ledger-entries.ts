import { invalidField } from "@gateway/contract";
import { presentLedgerEntry } from "@gateway/platform/ledger";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listLedgerEntries: OperationHandler<"listLedgerEntries"> = answerPage((query, { ledger }) => {
  if (query.ledgerAccountId !== undefined && query.walletId !== undefined) {
    throw invalidField("walletId", "must not be combined with ledgerAccountId");
  }
  return ledger.entries.list(query);
}, presentLedgerEntry);
