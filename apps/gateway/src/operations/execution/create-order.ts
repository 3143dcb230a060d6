import { presentOrder } from "@gateway/platform/execution";
import { needing, type OperationHandler } from "../operation.ts";

export const createOrder: OperationHandler<"createOrder"> = needing(
  ({ input: { body }, principal: { accountId } }) => [
    { kind: "instrument", accountId, symbol: body.symbol },
    ...(body.type === "market" ? [{ kind: "price", accountId, symbol: body.symbol } as const] : []),
  ],
  async ({ input, principal: { accountId }, deps }) => {
    const { externalId = null, metadata = {}, ...wanted } = input.body;
    const order = await deps.execution.orders.create({ ...wanted, accountId, externalId, metadata });
    return { status: 201, data: presentOrder(order) };
  },
);
