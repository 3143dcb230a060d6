import { presentWallet } from "@gateway/platform/ledger";
import type { OperationHandler } from "../operation.ts";

export const createWallet: OperationHandler<"createWallet"> = async ({ input, principal, deps }) => {
  const { metadata = {}, ...wallet } = input.body;
  const created = await deps.ledger.wallets.create({ accountId: principal.accountId, ...wallet, metadata });
  return { status: 201, data: presentWallet(created) };
};
