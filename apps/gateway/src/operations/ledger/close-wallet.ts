import { presentWallet } from "@gateway/platform/ledger";
import { answerOne, type OperationHandler } from "../operation.ts";

export const closeWallet: OperationHandler<"closeWallet"> = answerOne(
  "wallet",
  ({ accountId, walletId: id }, { ledger }) => ledger.wallets.close({ accountId, id }),
  presentWallet,
);
