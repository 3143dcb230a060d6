import { presentWallet } from "@gateway/platform/ledger";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listWallets: OperationHandler<"listWallets"> = answerPage(
  (query, { ledger }) => ledger.wallets.list(query),
  presentWallet,
);
