import type { LedgerDeps } from "./ledger-deps.ts";
import type { Kysely } from "kysely";
import { createCheckpoints } from "./checkpoint.ts";
import { createLedgerAccounts } from "./ledger-account.ts";
import { createLedgerEntries } from "./ledger-entry.ts";
import { createLedgerTransactions } from "./ledger-transaction.ts";
import { createPost, type Post } from "./post.ts";
import { createSealedChanges } from "./sealed-change.ts";
import { createSeals } from "./seal.ts";
import type { LedgerTables } from "./tables.ts";
import { createWallets } from "./wallet.ts";

export { complianceThreshold } from "./compliance-threshold.ts";
export type { Posting, PostingEntry } from "./decide-posting.ts";
export type { LedgerAccount } from "./ledger-account.ts";
export type { LedgerEntry } from "./ledger-entry.ts";
export type { LedgerTransaction } from "./present-ledger.ts";
export { ledgerAccountIdOf, type LedgerPlace } from "./ledger-place.ts";
export { postedOrThrow } from "./post.ts";
export {
  presentCheckpoint,
  presentLedgerAccount,
  presentLedgerEntry,
  presentLedgerTransaction,
} from "./present-ledger.ts";
export { presentWallet } from "./present-wallet.ts";
export type { CurrencyChange, SealedChange } from "./sealed-change.ts";
export type { Seals, Verification } from "./seal.ts";
export type { LedgerTables } from "./tables.ts";
export type { WalletFilter, Wallets } from "./wallet.ts";
export type { Wallet } from "./present-wallet.ts";

export type Ledger = ReturnType<typeof createLedger>;

export function createLedger(db: Kysely<LedgerTables>, deps: LedgerDeps) {
  const post = createPost(deps);
  return {
    wallets: createWallets(db, deps),
    accounts: createLedgerAccounts(db, deps),
    transactions: createLedgerTransactions(db, { ...deps, post }),
    entries: createLedgerEntries(db, deps),
    checkpoints: createCheckpoints(db, deps),
    seals: createSeals(db, deps),
    sealed: createSealedChanges(db),
    post: async (posting: Parameters<Post>[1]) => post(deps.joinAccount(db, posting.accountId), posting),
  };
}
