import { presentCheckpoint } from "@gateway/platform/ledger";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listLedgerCheckpoints: OperationHandler<"listLedgerCheckpoints"> = answerPage(
  (query, { ledger }) => ledger.checkpoints.list(query),
  presentCheckpoint,
);
