import { Problem } from "@gateway/contract";
import { parseTimestamp } from "@gateway/kernel";
import { presentLedgerAccount } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const getLedgerAccount: OperationHandler<"getLedgerAccount"> = async ({ input, principal, deps }) => {
  const { at } = input.query;
  const account = await deps.ledger.accounts.get({
    id: input.path.ledgerAccountId,
    accountId: principal.accountId,
    at: at === undefined ? undefined : parseTimestamp(at),
  });
  if (!account) {
    throw new Problem("NOT_FOUND", "There is no ledger account with this id in this account.");
  }
  return { status: 200, data: presentLedgerAccount(account) };
};
