import { presentWallet } from "@gateway/platform/ledger";
import { found, type OperationHandler } from "../operation.ts";

export const fundWallet: OperationHandler<"fundWallet"> = async ({ input, principal, deps }) => {
  const own = { id: input.path.walletId, accountId: principal.accountId };
  const isFunded = await deps.ledger.transactions.fund({ ...own, amountMinor: input.body.amount });
  return { status: 200, data: presentWallet(found("wallet", isFunded && (await deps.ledger.wallets.get(own)))) };
};
