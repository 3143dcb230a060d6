import { presentOrder } from "@gateway/platform/execution";
import { found, needing, type OperationHandler } from "../operation.ts";

export const replaceOrder: OperationHandler<"replaceOrder"> = needing(
  ({ input, principal: { accountId } }) => [{ kind: "instrument", accountId, orderId: input.path.orderId }],
  async ({ input, principal: { accountId }, deps }) => {
    const order = await deps.execution.orders.replace({ id: input.path.orderId, accountId, ...input.body });
    return { status: 201, data: presentOrder(found("order", order)) };
  },
);
