import type { OperationHandler } from "../operation.ts";
import { presentWallet } from "@gateway/platform/ledger";
import { answerPage } from "../answer.ts";

export const listWallets: OperationHandler<"listWallets"> = answerPage(
  (query, { ledger }) => ledger.wallets.list(query),
  presentWallet,
);
