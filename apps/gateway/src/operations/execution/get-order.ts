import { presentOrder } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { noSuchOrder } from "./no-such-order.ts";

export const getOrder: OperationHandler<"getOrder"> = async ({ input, principal, deps }) => {
  const order = await deps.execution.orders.get({ id: input.path.orderId, accountId: principal.accountId });
  if (!order) {
    throw noSuchOrder();
  }
  return { status: 200, data: presentOrder(order) };
};
