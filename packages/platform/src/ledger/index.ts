import type { Kysely } from "kysely";
import type { LedgerTables } from "./tables.ts";
import { createWallets, type WalletDeps, type Wallets } from "./wallet.ts";

export { presentWallet } from "./present-wallet.ts";
export type { LedgerTables } from "./tables.ts";
export type { Wallet, Wallets } from "./wallet.ts";

/** Wallets and what is in them. */
export type Ledger = { wallets: Wallets };

export type LedgerDeps = WalletDeps;

export function createLedger(db: Kysely<LedgerTables>, deps: LedgerDeps): Ledger {
  return { wallets: createWallets(db, deps) };
}
