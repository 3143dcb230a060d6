import { presentOrder } from "@gateway/platform/execution";
import type { OperationHandler } from "../operation.ts";
import { answerOne } from "../answer.ts";

export const getOrder: OperationHandler<"getOrder"> = answerOne(
  "order",
  ({ accountId, orderId: id }, { execution }) => execution.orders.get({ accountId, id }),
  presentOrder,
);
