import { presentTransfer } from "@gateway/platform/custody";
import type { OperationHandler } from "../operation.ts";
import { answerOne } from "../answer.ts";

export const getTransfer: OperationHandler<"getTransfer"> = answerOne(
  "transfer",
  ({ accountId, transferId: id }, { custody }) => custody.transfers.get({ accountId, id }),
  presentTransfer,
);
