import type { OperationHandler } from "../operation.ts";
import { noSuchWallet } from "./no-such-wallet.ts";
import { presentWallet } from "@gateway/platform";

export const closeWallet: OperationHandler<"closeWallet"> = async ({ input, principal, deps }) => {
  const wallet = await deps.ledger.wallets.close({ id: input.path.walletId, accountId: principal.accountId });
  if (!wallet) {
    throw noSuchWallet();
  }
  return { status: 200, data: presentWallet(wallet) };
};
