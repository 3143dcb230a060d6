import { parseTimestamp } from "@gateway/kernel";
import { presentLedgerAccount } from "@gateway/platform/ledger";
import { answerOne, type OperationHandler } from "../operation.ts";

export const getLedgerAccount: OperationHandler<"getLedgerAccount"> = answerOne(
  "ledger account",
  ({ accountId, ledgerAccountId: id, at }, { ledger }) =>
    ledger.accounts.get({ accountId, id, at: at === undefined ? undefined : parseTimestamp(at) }),
  presentLedgerAccount,
);
