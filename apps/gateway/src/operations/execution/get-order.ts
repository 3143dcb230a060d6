import { presentOrder } from "@gateway/platform/execution";
import { answerOne, type OperationHandler } from "../operation.ts";

export const getOrder: OperationHandler<"getOrder"> = answerOne(
  "order",
  ({ accountId, orderId: id }, { execution }) => execution.orders.get({ accountId, id }),
  presentOrder,
);
