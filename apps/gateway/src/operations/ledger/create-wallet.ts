import type { OperationHandler } from "../operation.ts";
import { presentWallet } from "./present-wallet.ts";

/** The event holds the wallet as this answer does. */
export const createWallet: OperationHandler<"createWallet"> = async ({ input, principal, deps }) => {
  const { accountId } = principal;
  const { name, currency, metadata = {} } = input.body;
  const wallet = presentWallet(await deps.wallets.create({ accountId, name, currency, metadata }));
  await deps.events.record({ accountId, type: "wallet.created", object: wallet });
  return { status: 201, data: wallet };
};
