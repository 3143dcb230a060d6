import type { Currency, Money, Wallet } from "./state.ts";
import { book, itemAt, type Answer } from "./money.ts";

type OfWallet = { wallet: number };

export function openWallet({ wallets }: Money, { currency }: { currency: Currency }): Answer {
  wallets.push({ currency, status: "active", available: 0, held: 0 });
  return "done";
}

/** Keeps the ledger transaction among the bookings, because a later step must fail to reverse it. */
export function fundWallet(money: Money, { wallet: index, amount }: OfWallet & { amount: number }): Answer {
  const wallet = itemAt(money.wallets, index);
  const { currency } = wallet;
  const refusal = book(money, "opening", [
    { wallet, part: "available", amount },
    { clearing: "equity", currency, amount: -amount },
  ]);
  if (refusal === null) {
    money.bookings.push({ kind: "opening" });
  }
  return refusal ?? "done";
}

export function freezeWallet(money: Money, { wallet }: OfWallet): Answer {
  return changeStatus(itemAt(money.wallets, wallet), { from: ["active"], to: "frozen" });
}

export function unfreezeWallet(money: Money, { wallet }: OfWallet): Answer {
  return changeStatus(itemAt(money.wallets, wallet), { from: ["frozen"], to: "active" });
}

export function closeWallet(money: Money, { wallet: index }: OfWallet): Answer {
  const wallet = itemAt(money.wallets, index);
  return wallet.available + wallet.held > 0
    ? "WALLET_NOT_EMPTY"
    : changeStatus(wallet, { from: ["active", "frozen"], to: "closed" });
}

type Status = Wallet["status"];

function changeStatus(wallet: Wallet, { from, to }: { from: readonly Status[]; to: Status }): Answer {
  if (!from.includes(wallet.status)) {
    return "INVALID_STATE";
  }
  wallet.status = to;
  return "done";
}
