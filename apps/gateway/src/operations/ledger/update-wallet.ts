import type { OperationHandler } from "../operation.ts";
import { noSuchWallet } from "./no-such-wallet.ts";
import { presentWallet } from "@gateway/platform";

export const updateWallet: OperationHandler<"updateWallet"> = async ({ input, principal, deps }) => {
  const own = { id: input.path.walletId, accountId: principal.accountId };
  const wallet = await deps.ledger.wallets.update({ ...own, ...input.body });
  if (!wallet) {
    throw noSuchWallet();
  }
  return { status: 200, data: presentWallet(wallet) };
};
