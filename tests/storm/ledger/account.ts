import type { Schemas } from "@gateway/contract";

export type StormWallet = { id: string; currency: "EUR" | "GBP" | "USDC" | "ETH" };

/**
 * An account as its clients know it. Many clients act for it concurrently, so their knowledge may be outdated when they
 * use it.
 */
export type StormAccount = {
  id: string;
  key: string;
  /** The wallets with its money. */
  wallets: readonly StormWallet[];
  /** The ids of the ledger accounts of its own bookkeeping. */
  ledgerAccountIds: readonly string[];
  known: Known;
};

/** The resources that clients created, by kind, as the responses showed them. */
export type Known = Record<
  "spareWallets" | "bookings" | "counterparties" | "payments" | "verifications" | "deposits",
  { id: string }[]
> & { orphans: Schemas["CustodyDeposit"][]; transfers: Schemas["CustodyTransfer"][] };

export function createKnown(): Known {
  return {
    ...{ spareWallets: [], bookings: [], counterparties: [], payments: [], verifications: [] },
    ...{ deposits: [], orphans: [], transfers: [] },
  };
}

/** The number of resources of a kind that are kept. Older ones are dropped. */
const mostKept = 50;

export function keep({ known }: StormAccount, kind: keyof Known, answered: unknown): void {
  const kept: unknown[] = known[kind];
  kept.push(answered);
  if (kept.length > mostKept) {
    kept.shift();
  }
}
