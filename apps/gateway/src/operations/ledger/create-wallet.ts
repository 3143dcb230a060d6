import { presentWallet } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const createWallet: OperationHandler<"createWallet"> = async ({ input, principal, deps }) => {
  const { name, currency, metadata = {} } = input.body;
  const wallet = await deps.ledger.wallets.create({ accountId: principal.accountId, name, currency, metadata });
  return { status: 201, data: presentWallet(wallet) };
};
