import { presentCheckpoint } from "@gateway/platform/ledger";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listLedgerCheckpoints: OperationHandler<"listLedgerCheckpoints"> = answerPage(
  (query, { ledger }) => ledger.checkpoints.list(query),
  presentCheckpoint,
);
