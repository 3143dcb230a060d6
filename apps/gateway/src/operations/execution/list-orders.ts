import { presentOrder } from "@gateway/platform/execution";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listOrders: OperationHandler<"listOrders"> = answerPage(
  (query, { execution }) => execution.orders.list(query),
  presentOrder,
);
