import fc from "fast-check";
import type { Currency, Wallet } from "../model/state.ts";
import { choosePlace } from "../step.ts";

/** An amount, or all available money of a wallet plus some minor units. */
export type Amount = number | { allAnd: number };

/** Sometimes chooses all available money, or one minor unit more, which is refused. */
export function amountOr(amount: fc.Arbitrary<number>): fc.Arbitrary<Amount> {
  const all = fc.record({ allAnd: fc.constantFrom(0, 0, 1) });
  return fc.oneof({ weight: 6, arbitrary: amount }, { weight: 1, arbitrary: all });
}

/** The amount in minor units, at least 1. `fee` is charged in addition to it. */
export function amountIn(amount: Amount, wallet: Wallet | undefined, fee = 0): number {
  return typeof amount === "number" ? amount : Math.max(1, (wallet?.available ?? 0) + amount.allAnd - fee);
}

/** Chooses a wallet of this currency. Mostly an active one, if there is one. */
export function chooseWallet(wallets: readonly Wallet[], currency: Currency, number: number): number {
  const fits = (wallet: Wallet): boolean => wallet.currency === currency;
  return choosePlace(wallets, number, { fits, isLikely: isActive }) ?? choosePlace(wallets, number, { fits }) ?? 0;
}

function isActive({ status }: Wallet): boolean {
  return status === "active";
}

/** Chooses two wallets, mostly of the same currency, so that money can move between them. */
export function chooseTwoWallets(
  wallets: readonly Wallet[],
  numbers: { from: number; to: number },
): { from: number; to: number } {
  const from = choosePlace(wallets, numbers.from, { isLikely: isActive }) ?? 0;
  const payer = wallets[from];
  const isLikely = (wallet: Wallet): boolean => wallet !== payer && wallet.currency === payer?.currency;
  return { from, to: choosePlace(wallets, numbers.to, { isLikely }) ?? 0 };
}
