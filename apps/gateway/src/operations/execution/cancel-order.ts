import { presentOrder } from "@gateway/platform/execution";
import type { OperationHandler } from "../operation.ts";
import { answerOne } from "../answer.ts";

export const cancelOrder: OperationHandler<"cancelOrder"> = answerOne(
  "order",
  ({ accountId, orderId: id }, { execution }) => execution.orders.cancel({ accountId, id }),
  presentOrder,
);
