import { Problem } from "@gateway/contract";
import type { OperationHandler } from "../operation.ts";
import { presentWallet } from "@gateway/platform";

export const getWallet: OperationHandler<"getWallet"> = async ({ input, principal, deps }) => {
  const wallet = await deps.ledger.wallets.get({ id: input.path.walletId, accountId: principal.accountId });
  if (!wallet) {
    throw new Problem("NOT_FOUND", "There is no wallet with this id in this account.");
  }
  return { status: 200, data: presentWallet(wallet) };
};
