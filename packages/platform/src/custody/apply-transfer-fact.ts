import type { CustodyDeps } from "./transfer-deps.ts";
import { nounOf } from "@gateway/engine/noun";
import { postedOrThrow } from "../ledger/index.ts";
import type { AccountTransaction } from "@gateway/engine/account-time";
import { expectMoved, move } from "@gateway/engine/move";
import type { TransferFact } from "@gateway/ports";
import type { FactVerdict } from "@gateway/engine/work";
import type { OutgoingTables, TransferStatus } from "./tables.ts";
import { presentTransfer } from "./present-transfer.ts";
import { endTransfer, lockTransfer, totalMinor, transferTable, type TransferRow } from "./transfer-end.ts";

/** Effect of a fact on a transfer, by the transfer's status: a transition, or a `FactVerdict` without one. */
export type FactEffect = "broadcast" | "complete" | "fail" | Exclude<FactVerdict, "applied">;

/** The end of a transfer is not undone. If a network then reports the opposite, a person has to look. */
export function decideFactEffect(
  { status, isSubmitted }: { status: TransferStatus; isSubmitted: boolean },
  type: TransferFact["type"],
): FactEffect {
  return status === "initiated" && !isSubmitted ? "parked" : effects[status][type];
}

const effects: Readonly<Record<TransferStatus, Record<TransferFact["type"], FactEffect>>> = {
  initiated: { submitted: "broadcast", confirmed: "complete", refused: "fail", dropped: "fail" },
  broadcast: { submitted: "superseded", confirmed: "complete", refused: "fail", dropped: "fail" },
  completed: { submitted: "superseded", confirmed: "superseded", refused: "mismatched", dropped: "mismatched" },
  failed: { submitted: "superseded", confirmed: "mismatched", refused: "superseded", dropped: "superseded" },
  rejected: { submitted: "mismatched", confirmed: "mismatched", refused: "superseded", dropped: "superseded" },
  canceled: { submitted: "mismatched", confirmed: "mismatched", refused: "superseded", dropped: "superseded" },
};

const failureCodes = { refused: "network_refused", dropped: "network_dropped" } as const;

export async function applyTransferFact(
  trx: AccountTransaction<OutgoingTables>,
  deps: CustodyDeps,
  { accountId, fact }: { accountId: string; fact: TransferFact },
): Promise<FactVerdict> {
  const transfer = await lockTransfer(trx, { id: fact.transferId, accountId });
  if (!transfer) {
    return "parked";
  }
  if ("amountMinor" in fact && fact.amountMinor !== transfer.amount) {
    return "mismatched";
  }
  const effect = decideFactEffect({ status: transfer.status, isSubmitted: transfer.submitted_at !== null }, fact.type);
  if (effect !== "broadcast" && effect !== "complete" && effect !== "fail") {
    return effect;
  }
  const on = { transfer, hash: fact.transactionHash };
  if (fact.type === "refused" || fact.type === "dropped") {
    await endTransfer(trx, deps, "fail", { transfer, failureCode: failureCodes[fact.type] });
    return "applied";
  }
  if (transfer.status === "initiated") {
    await broadcast(trx, on);
  }
  if (effect === "complete") {
    await complete(trx, deps, on);
  }
  return "applied";
}

type Told = { transfer: TransferRow; hash: string | null };

async function broadcast(
  trx: AccountTransaction<OutgoingTables>,
  { transfer: { id, account_id: accountId }, hash }: Told,
): Promise<void> {
  await move(trx, transferTable, "broadcast", {
    id,
    accountId,
    set: { transaction_hash: hash, broadcast_at: trx.now },
  });
}

/** Its transaction may differ from the one that was broadcast, because networks let a greater fee replace it. */
async function complete(
  trx: AccountTransaction<OutgoingTables>,
  deps: CustodyDeps,
  { transfer, hash }: Told,
): Promise<void> {
  const { id, account_id: accountId, wallet_id: walletId, currency } = transfer;
  const set = { transaction_hash: hash, completed_at: trx.now };
  const { row, event } = expectMoved(await move(trx, transferTable, "complete", { id, accountId, set }));
  const posted = await deps.ledger.post({
    accountId,
    kind: "transfer",
    cause: { type: "transfer", id },
    isUnderWay: true,
    announces: [event("custody.transfer.completed", presentTransfer(nounOf(row)))],
    entries: [
      { place: { kind: "wallet", walletId, part: "held" }, direction: "debit", amountMinor: totalMinor(transfer) },
      { place: { kind: "clearing", currency, part: "chain" }, direction: "credit", amountMinor: transfer.amount },
      { place: { kind: "clearing", currency, part: "fees" }, direction: "credit", amountMinor: transfer.fee },
    ],
  });
  postedOrThrow(posted);
}
