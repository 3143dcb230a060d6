import { presentTransfer } from "@gateway/platform/custody";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listTransfers: OperationHandler<"listTransfers"> = answerPage(
  (query, { custody }) => custody.transfers.list(query),
  presentTransfer,
);
