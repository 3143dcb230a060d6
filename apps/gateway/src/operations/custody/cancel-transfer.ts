import { presentTransfer } from "@gateway/platform/custody";
import type { OperationHandler } from "../operation.ts";
import { answerOne } from "../answer.ts";

export const cancelTransfer: OperationHandler<"cancelTransfer"> = answerOne(
  "transfer",
  ({ accountId, transferId: id }, { custody }) => custody.transfers.cancel({ accountId, id }),
  presentTransfer,
);
