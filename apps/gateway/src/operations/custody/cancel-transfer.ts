import { presentTransfer } from "@gateway/platform/custody";
import { answerOne, type OperationHandler } from "../operation.ts";

export const cancelTransfer: OperationHandler<"cancelTransfer"> = answerOne(
  "transfer",
  ({ accountId, transferId: id }, { custody }) => custody.transfers.cancel({ accountId, id }),
  presentTransfer,
);
