import type { OperationHandler } from "../operation.ts";
import { presentWallet } from "@gateway/platform/ledger";
import { answerOne } from "../answer.ts";

export const freezeWallet: OperationHandler<"freezeWallet"> = answerOne(
  "wallet",
  ({ accountId, walletId: id }, { ledger }) => ledger.wallets.freeze({ accountId, id }),
  presentWallet,
);
