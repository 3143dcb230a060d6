import { closeWallet } from "./close-wallet.ts";
import { createWallet } from "./create-wallet.ts";
import { freezeWallet } from "./freeze-wallet.ts";
import { getWallet } from "./get-wallet.ts";
import { listWallets } from "./list-wallets.ts";
import { unfreezeWallet } from "./unfreeze-wallet.ts";
import { updateWallet } from "./update-wallet.ts";
import type { OperationsOf } from "../operation.ts";

export const ledgerOperations = {
  closeWallet,
  createWallet,
  freezeWallet,
  getWallet,
  listWallets,
  unfreezeWallet,
  updateWallet,
} satisfies OperationsOf<"ledger">;
