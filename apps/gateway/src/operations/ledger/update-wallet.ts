import { presentWallet } from "@gateway/platform/ledger";
import { answerOne, type OperationHandler } from "../operation.ts";

export const updateWallet: OperationHandler<"updateWallet"> = answerOne(
  "wallet",
  ({ accountId, walletId: id }, { ledger }, { body }) => ledger.wallets.update({ accountId, id, ...body }),
  presentWallet,
);
