import { createWallet } from "./create-wallet.ts";
import { getWallet } from "./get-wallet.ts";
import { listWallets } from "./list-wallets.ts";
import type { OperationsOf } from "../operation.ts";

export const ledgerOperations = {
  createWallet,
  getWallet,
  listWallets,
} satisfies OperationsOf<"ledger">;
