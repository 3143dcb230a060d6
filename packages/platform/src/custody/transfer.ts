import type { CustodyDeps } from "./transfer-deps.ts";
import { nounOf } from "@gateway/engine/noun";
import { Problem } from "@gateway/contract";
import type { AccountTransaction } from "@gateway/engine/account-time";
import { sql, type Kysely } from "kysely";
import { changeAll, firstOf, prepareFilteredPages, type Own } from "@gateway/engine/find-own";
import { type PageRequest } from "@gateway/engine/page";
import type { TransferFact } from "@gateway/ports";
import { applyTransferFact } from "./apply-transfer-fact.ts";
import { cancelApproval } from "./approval.ts";
import { initiateTransfer, type Creation } from "./initiate-transfer.ts";
import type { OutgoingTables, TransferStatus } from "./tables.ts";
import { beginSubmit, holdSimulated, statusOfApproval } from "./submit-transfer.ts";
import { endTransfer, lockTransfer, selectTransfer, type Transfer, type TransferRow } from "./transfer-end.ts";

type TransferFilter = {
  walletId?: string | undefined;
  status?: TransferStatus | undefined;
  externalId?: string | undefined;
};

export type Transfers = ReturnType<typeof createTransfers>;

type ListInput = { accountId: string } & TransferFilter & PageRequest;

export function createTransfers(db: Kysely<OutgoingTables>, deps: CustodyDeps) {
  const { inAccount } = deps;
  const list = prepareFilteredPages(db, () => db.selectFrom("transfers").selectAll(), {
    ...{ name: "transfers", cursors: deps.cursors, toItem: nounOf<TransferRow> },
    both: sql`wallet_status`,
  });
  return {
    /** Holds amount and fee, if the account's policy allows it. */
    create: (input: Creation) => inAccount(db, input.accountId, (trx) => initiateTransfer(trx, deps, input)),
    get: (own: Own) => firstOf(selectTransfer(db, own), nounOf),
    list: ({ walletId, status, ...request }: ListInput) => list(request, { wallet_id: walletId, status }),
    /** Possible only before the submission begins. */
    cancel: (own: Own) => inAccount(db, own.accountId, (trx) => cancelTransfer(trx, deps, own)),
    /**
     * The order to send now, which can no longer be canceled; null when there is none. Must be committed before it is
     * sent.
     */
    beginSubmit: (own: Own) => inAccount(db, own.accountId, (trx) => beginSubmit(trx, deps, own)),
    applyFact: (input: { accountId: string; fact: TransferFact }) =>
      inAccount(db, input.accountId, (trx) => applyTransferFact(trx, deps, input)),
    /** For the sandbox, before a simulated fact: refuses a transfer that waits for an approval or has ended. */
    holdSimulated: (own: Own) => inAccount(db, own.accountId, (trx) => holdSimulated(trx, deps, own)),
    eraseTexts: (accountId: string) =>
      changeAll(db.updateTable("transfers").set({ metadata: "{}", external_id: null }), accountId),
  };
}

async function cancelTransfer(
  trx: AccountTransaction<OutgoingTables>,
  deps: CustodyDeps,
  own: Own,
): Promise<Transfer | null> {
  const transfer = await lockTransfer(trx, own);
  if (!transfer) {
    return null;
  }
  if (transfer.status === "initiated" && transfer.submitted_at !== null) {
    throw new Problem(
      "INVALID_STATE",
      `The custody transfer ${own.id} is being sent to its network and cannot be canceled.`,
    );
  }
  // Ends the transfer before the approval, so that one that has already ended is refused with its status.
  const row = await endTransfer(trx, deps, "cancel", { transfer, failureCode: "canceled" });
  if (
    row.approval_id !== null &&
    (await statusOfApproval(trx, { id: row.approval_id, accountId: own.accountId })) === "requested"
  ) {
    await cancelApproval(trx, { id: row.approval_id, accountId: own.accountId });
  }
  await deps.recordAudit(trx, { accountId: own.accountId, type: "transfer.canceled", resourceId: own.id });
  await deps.work.inbox.resume({ accountId: own.accountId, subjectId: own.id });
  return nounOf(row);
}
