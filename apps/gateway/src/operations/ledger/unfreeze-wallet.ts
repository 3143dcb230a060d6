import { presentWallet } from "@gateway/platform/ledger";
import { answerOne, type OperationHandler } from "../operation.ts";

export const unfreezeWallet: OperationHandler<"unfreezeWallet"> = answerOne(
  "wallet",
  ({ accountId, walletId: id }, { ledger }) => ledger.wallets.unfreeze({ accountId, id }),
  presentWallet,
);
