import { presentOrder } from "@gateway/platform/execution";
import { answerOne, type OperationHandler } from "../operation.ts";

export const cancelOrder: OperationHandler<"cancelOrder"> = answerOne(
  "order",
  ({ accountId, orderId: id }, { execution }) => execution.orders.cancel({ accountId, id }),
  presentOrder,
);
