import { presentWallet } from "@gateway/platform/ledger";
import { answerOne, type OperationHandler } from "../operation.ts";

export const freezeWallet: OperationHandler<"freezeWallet"> = answerOne(
  "wallet",
  ({ accountId, walletId: id }, { ledger }) => ledger.wallets.freeze({ accountId, id }),
  presentWallet,
);
