import { presentTransfer } from "@gateway/platform/custody";
import { answerOne, type OperationHandler } from "../operation.ts";

export const getTransfer: OperationHandler<"getTransfer"> = answerOne(
  "transfer",
  ({ accountId, transferId: id }, { custody }) => custody.transfers.get({ accountId, id }),
  presentTransfer,
);
