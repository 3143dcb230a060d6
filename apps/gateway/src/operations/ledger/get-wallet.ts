import { presentWallet } from "@gateway/platform/ledger";
import { answerOne, type OperationHandler } from "../operation.ts";

export const getWallet: OperationHandler<"getWallet"> = answerOne(
  "wallet",
  ({ accountId, walletId: id }, { ledger }) => ledger.wallets.get({ accountId, id }),
  presentWallet,
);
