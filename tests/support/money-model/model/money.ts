import type { Schemas } from "@gateway/contract";
import type { Currency, Entry, Money, Wallet } from "./state.ts";

/** The result of a step: "done", the code of a refusal, or the verdict on a fact. */
export type Answer = string;

export type Refusal = "INSUFFICIENT_FUNDS" | "WALLET_NOT_ACTIVE";

const beginnings: readonly (readonly [Currency, number])[] = [
  ["EUR", 200_000],
  ["EUR", 20_000],
  ["USD", 500_000],
  ["ETH", 2_000_000_000],
];

/** Creates a wallet of each currency, another one with little money, and two accounts of own bookkeeping. */
export function createMoney(): Money {
  const money: Money = {
    nowMs: 0,
    wallets: beginnings.map(([currency]) => ({ currency, status: "active", available: 0, held: 0 })),
    ownAccounts: [
      { mayBeNegative: true, balance: 0 },
      { mayBeNegative: false, balance: 0 },
    ],
    ...{ bookings: [], payments: [], transfers: [], orders: [], clearing: {}, transactions: {} },
  };
  const entries = beginnings.flatMap(([currency, amount], index): Entry[] => [
    { wallet: itemAt(money.wallets, index), part: "available", amount },
    { clearing: "equity", currency, amount: -amount },
  ]);
  book(money, "opening", entries);
  return money;
}

export function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) {
    throw new Error(`The model has no item ${index} in a list of ${items.length}.`);
  }
  return item;
}

/**
 * Books all entries, or none and returns the refusal that a caller gets. Promised money was held before or comes from
 * outside. It is booked in every state of the wallet, and it freezes a closed wallet.
 */
export function book(
  money: Money,
  kind: Schemas["LedgerTransactionKind"],
  entries: readonly Entry[],
  { isPromised = false }: { isPromised?: boolean } = {},
): Refusal | null {
  const refusal = (isPromised ? null : findInactive(entries)) ?? findShortage(entries);
  if (refusal !== null) {
    return refusal;
  }
  for (const entry of entries) {
    if ("wallet" in entry) {
      entry.wallet[entry.part] += entry.amount;
    } else if ("own" in entry) {
      entry.own.balance += entry.amount;
    } else {
      const place = `${entry.currency} ${entry.clearing}`;
      money.clearing[place] = (money.clearing[place] ?? 0) + entry.amount;
    }
  }
  for (const wallet of walletsOf(entries)) {
    if (wallet.status === "closed" && wallet.available + wallet.held > 0) {
      wallet.status = "frozen";
    }
  }
  money.transactions[kind] = (money.transactions[kind] ?? 0) + 1;
  return null;
}

function walletsOf(entries: readonly Entry[]): Set<Wallet> {
  return new Set(entries.flatMap((entry) => ("wallet" in entry ? [entry.wallet] : [])));
}

function findInactive(entries: readonly Entry[]): Refusal | null {
  const isRefused = entries.some(
    (entry) =>
      "wallet" in entry && (entry.wallet.status === "closed" || (entry.wallet.status === "frozen" && entry.amount < 0)),
  );
  return isRefused ? "WALLET_NOT_ACTIVE" : null;
}

function findShortage(entries: readonly Entry[]): Refusal | null {
  const isShort = entries.some((entry) => {
    if ("wallet" in entry) {
      const same = entries.filter((one) => "wallet" in one && one.wallet === entry.wallet && one.part === entry.part);
      return entry.wallet[entry.part] + sumOf(same) < 0;
    }
    return "own" in entry && !entry.own.mayBeNegative && entry.own.balance + entry.amount < 0;
  });
  return isShort ? "INSUFFICIENT_FUNDS" : null;
}

function sumOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { amount }) => sum + amount, 0);
}

/** Entries that set an amount aside in a wallet; a negative amount makes it available again. */
export function setAside(wallet: Wallet, amount: number): Entry[] {
  return [
    { wallet, part: "available", amount: -amount },
    { wallet, part: "held", amount },
  ];
}
