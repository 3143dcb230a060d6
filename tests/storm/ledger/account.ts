import type { Schemas } from "@gateway/contract";

export type StormWallet = { id: string; currency: "EUR" | "GBP" | "USDC" | "ETH" };

/**
 * An account as its clients know it. Many clients act for it at once, so what it knows may be over by the time that it
 * is used.
 */
export type StormAccount = {
  id: string;
  key: string;
  /** Where its money is. */
  wallets: readonly StormWallet[];
  /** Of its own bookkeeping. */
  ledgerAccountIds: readonly string[];
  known: Known;
};

/** What came to be on the way, of each kind, as it was answered. */
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

/** So much is kept of what came to be. */
const mostKept = 50;

export function keep({ known }: StormAccount, kind: keyof Known, answered: unknown): void {
  const kept: unknown[] = known[kind];
  kept.push(answered);
  if (kept.length > mostKept) {
    kept.shift();
  }
}
