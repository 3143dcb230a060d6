import type { CustodyDeps } from "./transfer-deps.ts";
import { nounOf } from "@gateway/engine/noun";
import { Problem } from "@gateway/contract";
import type { Transaction } from "@gateway/database";
import { isOwn, type Own } from "@gateway/engine/find-own";
import type { AccountTransaction } from "@gateway/engine/account-time";
import type { Chain } from "@gateway/ports";
import type { OutgoingTables } from "./tables.ts";
import { lockTransfer, type Transfer, type TransferRow } from "./transfer-end.ts";

/** Marks a transfer as submitted and returns the order to send; null when it may not go out. */
export async function beginSubmit(
  trx: AccountTransaction<OutgoingTables>,
  deps: CustodyDeps,
  own: Own,
): Promise<Parameters<Chain["submit"]>[0] | null> {
  const transfer = await lockTransfer(trx, own);
  if (!transfer || !(await mayGoOut(trx, transfer))) {
    return null;
  }
  await markSubmitted(trx, deps, transfer);
  return {
    accountId: own.accountId,
    transferId: transfer.id,
    network: transfer.network,
    address: transfer.destination_address,
    amountMinor: transfer.amount,
    feeMinor: transfer.fee,
  };
}

async function mayGoOut(trx: Transaction<OutgoingTables>, transfer: TransferRow): Promise<boolean> {
  const { account_id: accountId, approval_id: id } = transfer;
  return (
    transfer.status === "initiated" && (id === null || (await statusOfApproval(trx, { id, accountId })) === "approved")
  );
}

/** Keeps the first time. Facts that the network reported before the submission have waited for this. */
async function markSubmitted(
  trx: AccountTransaction<OutgoingTables>,
  deps: CustodyDeps,
  transfer: TransferRow,
): Promise<void> {
  const { account_id: accountId, id } = transfer;
  if (transfer.submitted_at === null) {
    await trx.updateTable("transfers").set({ submitted_at: trx.now }).where(isOwn({ id, accountId })).execute();
    await deps.work.inbox.resume({ accountId, subjectId: id });
  }
}

/** Marks the transfer as submitted without sending it, for a caller who then reports what its network does. */
export async function holdSimulated(
  trx: AccountTransaction<OutgoingTables>,
  deps: CustodyDeps,
  own: Own,
): Promise<Transfer | null> {
  const transfer = await lockTransfer(trx, own);
  if (!transfer) {
    return null;
  }
  if (transfer.status !== "broadcast" && !(await mayGoOut(trx, transfer))) {
    const reason = transfer.status === "initiated" ? "waits for its approval" : `is ${transfer.status}`;
    throw new Problem("INVALID_STATE", `The custody transfer ${own.id} ${reason}, so its network can report nothing.`);
  }
  await markSubmitted(trx, deps, transfer);
  await deps.recordAudit(trx, { accountId: own.accountId, type: "transfer.simulated", resourceId: own.id });
  return nounOf(transfer);
}

/** The caller holds the transfer, without which an approval cannot be decided. */
export async function statusOfApproval(trx: Transaction<OutgoingTables>, own: Own): Promise<string | undefined> {
  const row = await trx.selectFrom("approvals").select("status").where(isOwn(own)).forNoKeyUpdate().executeTakeFirst();
  return row?.status;
}
