import { invalidField } from "@gateway/contract";
import { presentLedgerEntry } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listLedgerEntries: OperationHandler<"listLedgerEntries"> = async ({ input, principal, deps }) => {
  const { ledgerAccountId, walletId } = input.query;
  if (ledgerAccountId !== undefined && walletId !== undefined) {
    throw invalidField("walletId", "must not be sent beside ledgerAccountId");
  }
  const page = await deps.ledger.entries.list({ accountId: principal.accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentLedgerEntry),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
