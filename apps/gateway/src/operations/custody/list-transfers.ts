import { presentTransfer } from "@gateway/platform/custody";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listTransfers: OperationHandler<"listTransfers"> = answerPage(
  (query, { custody }) => custody.transfers.list(query),
  presentTransfer,
);
