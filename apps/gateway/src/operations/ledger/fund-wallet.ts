import { presentWallet } from "@gateway/platform/ledger";
import type { OperationHandler } from "../operation.ts";
import { noSuch } from "../no-such.ts";

export const fundWallet: OperationHandler<"fundWallet"> = async ({ input, principal, deps }) => {
  const own = { id: input.path.walletId, accountId: principal.accountId };
  const isFunded = await deps.ledger.transactions.fund({ ...own, amountMinor: input.body.amount });
  const wallet = isFunded ? await deps.ledger.wallets.get(own) : null;
  if (!wallet) {
    throw noSuch("wallet");
  }
  return { status: 200, data: presentWallet(wallet) };
};
