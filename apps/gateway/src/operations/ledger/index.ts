import { closeWallet } from "./close-wallet.ts";
import { createLedgerAccount } from "./create-ledger-account.ts";
import { createLedgerTransaction } from "./create-ledger-transaction.ts";
import { createWallet } from "./create-wallet.ts";
import { freezeWallet } from "./freeze-wallet.ts";
import { fundWallet } from "./fund-wallet.ts";
import { getLedgerAccount } from "./get-ledger-account.ts";
import { getLedgerTransaction } from "./get-ledger-transaction.ts";
import { getWallet } from "./get-wallet.ts";
import { listLedgerAccounts } from "./list-ledger-accounts.ts";
import { listLedgerCheckpoints } from "./list-ledger-checkpoints.ts";
import { listLedgerEntries } from "./list-ledger-entries.ts";
import { listLedgerTransactions } from "./list-ledger-transactions.ts";
import { listWallets } from "./list-wallets.ts";
import { reverseLedgerTransaction } from "./reverse-ledger-transaction.ts";
import { unfreezeWallet } from "./unfreeze-wallet.ts";
import { updateWallet } from "./update-wallet.ts";
import type { OperationsOf } from "../operation.ts";

export const ledgerOperations = {
  closeWallet,
  createLedgerAccount,
  createLedgerTransaction,
  createWallet,
  freezeWallet,
  fundWallet,
  getLedgerAccount,
  getLedgerTransaction,
  getWallet,
  listLedgerAccounts,
  listLedgerCheckpoints,
  listLedgerEntries,
  listLedgerTransactions,
  listWallets,
  reverseLedgerTransaction,
  unfreezeWallet,
  updateWallet,
} satisfies OperationsOf<"ledger">;
