import { presentOrder } from "@gateway/platform/execution";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listOrders: OperationHandler<"listOrders"> = answerPage(
  (query, { execution }) => execution.orders.list(query),
  presentOrder,
);
