import type { Money, Transfer, TransferFate, Wallet } from "./state.ts";
import { book, itemAt, setAside, type Answer } from "./money.ts";

const day = 24 * 3_600_000;

/** All transfers are in ETH. Amounts are minor units; twelve blocks of twelve seconds confirm a transfer. */
export const fee = 50_000;
const minimum = 1_000_000;
const minedAfterMs = 144_000;
/** Transfers of this much within a day need an approval. */
const threshold = 500_000_000;
const approvalLivesMs = day;

type Sending = { from: number; amount: number; fate: TransferFate };
type OfTransfer = { transfer: number };

export function sendTransfer(money: Money, { from, amount, fate }: Sending): Answer {
  const payer = itemAt(money.wallets, from);
  if (payer.currency !== "ETH" || amount < minimum) {
    return "INVALID_REQUEST";
  }
  const needsApproval = amount + sentWithinDay(money) >= threshold;
  const refusal = book(money, "hold", setAside(payer, amount + fee));
  if (refusal === null) {
    money.transfers.push({
      ...{ from, amount, fate, status: "initiated", failure: null, createdAtMs: money.nowMs },
      ...{ approval: needsApproval ? "requested" : null, readyAtMs: needsApproval ? null : money.nowMs },
      ...{ isSubmitted: false, outcomeAtMs: null },
    });
  }
  return refusal ?? "done";
}

const countedStatuses = ["initiated", "broadcast", "completed"];

function sentWithinDay({ transfers, nowMs }: Money): number {
  return transfers
    .filter(({ status, createdAtMs }) => countedStatuses.includes(status) && createdAtMs > nowMs - day)
    .reduce((sum, { amount }) => sum + amount, 0);
}

export function cancelTransfer(money: Money, { transfer: index }: OfTransfer): Answer {
  const transfer = itemAt(money.transfers, index);
  if (transfer.status !== "initiated" || transfer.isSubmitted) {
    return "INVALID_STATE";
  }
  if (transfer.approval === "requested") {
    transfer.approval = "canceled";
  }
  end(money, transfer, { status: "canceled", failure: "canceled" });
  return "done";
}

export type Decision = "approved" | "rejected";

/** The decision of an owner whom the sandbox simulates. */
export function decideTransfer(
  money: Money,
  { transfer: index, decision }: OfTransfer & { decision: Decision },
): Answer {
  const transfer = itemAt(money.transfers, index);
  if (transfer.approval !== "requested") {
    return "INVALID_STATE";
  }
  if (decision === "approved" && walletOf(money, transfer).status !== "active") {
    return "WALLET_NOT_ACTIVE";
  }
  transfer.approval = decision;
  if (decision === "approved") {
    transfer.readyAtMs = money.nowMs;
  } else {
    end(money, transfer, { status: "rejected", failure: "approval_rejected" });
  }
  return "done";
}

export type TransferOutcome = "completed" | "failed";

/** Tells the outcome now. It replaces the planned fact of the network. */
export function simulateTransfer(
  money: Money,
  { transfer: index, outcome }: OfTransfer & { outcome: TransferOutcome },
): Answer {
  const transfer = itemAt(money.transfers, index);
  if (transfer.status !== "broadcast" && !mayGoOut(transfer)) {
    return "INVALID_STATE";
  }
  transfer.isSubmitted = true;
  if (outcome === "completed") {
    complete(money, transfer);
  } else {
    end(money, transfer, { status: "failed", failure: "network_dropped" });
  }
  return "done";
}

function mayGoOut({ status, approval }: Transfer): boolean {
  return status === "initiated" && (approval === null || approval === "approved");
}

/** Brings all transfers to where they are at the account's time. */
export function passTransfers(money: Money): void {
  for (const transfer of money.transfers) {
    submit(money, transfer);
    if (transfer.status === "broadcast" && transfer.outcomeAtMs !== null && transfer.outcomeAtMs <= money.nowMs) {
      if (transfer.fate === "completed") {
        complete(money, transfer);
      } else {
        end(money, transfer, { status: "failed", failure: "network_dropped" });
      }
    }
    if (transfer.approval === "requested" && transfer.createdAtMs + approvalLivesMs <= money.nowMs) {
      transfer.approval = "expired";
      end(money, transfer, { status: "rejected", failure: "approval_expired" });
    }
  }
}

/** A network that refuses a transfer refuses it at once. */
function submit(money: Money, transfer: Transfer): void {
  if (!mayGoOut(transfer) || transfer.isSubmitted || transfer.readyAtMs === null) {
    return;
  }
  transfer.isSubmitted = true;
  if (transfer.fate === "refused") {
    end(money, transfer, { status: "failed", failure: "network_refused" });
  } else {
    transfer.status = "broadcast";
    transfer.outcomeAtMs = transfer.readyAtMs + minedAfterMs;
  }
}

function complete(money: Money, transfer: Transfer): void {
  const wallet = walletOf(money, transfer);
  const { amount } = transfer;
  transfer.status = "completed";
  const entries = [
    { wallet, part: "held", amount: -(amount + fee) },
    { clearing: "chain", currency: "ETH", amount },
    { clearing: "fees", currency: "ETH", amount: fee },
  ] as const;
  book(money, "transfer", entries, { isPromised: true });
}

type Ending = { status: "rejected" | "canceled" | "failed"; failure: string };

function end(money: Money, transfer: Transfer, { status, failure }: Ending): void {
  transfer.status = status;
  transfer.failure = failure;
  book(money, "release", setAside(walletOf(money, transfer), -(transfer.amount + fee)), { isPromised: true });
}

function walletOf({ wallets }: Money, { from }: Transfer): Wallet {
  return itemAt(wallets, from);
}
