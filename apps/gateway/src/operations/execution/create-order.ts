import { presentOrder } from "@gateway/platform/execution";
import type { Instrument } from "@gateway/platform/market-data";
import { withPreparation, type OperationHandler } from "../operation.ts";

export const createOrder: OperationHandler<"createOrder"> = withPreparation<"createOrder", Instrument>(
  ({ input, principal, deps }) =>
    deps.execution.orders.readMarket({
      accountId: principal.accountId,
      symbol: input.body.symbol,
      type: input.body.type,
    }),
  async ({ input, principal, deps, prepared }) => {
    const { externalId = null, metadata = {}, ...wanted } = input.body;
    const order = await deps.execution.orders.create({
      ...wanted,
      accountId: principal.accountId,
      instrument: prepared(),
      externalId,
      metadata,
    });
    return { status: 201, data: presentOrder(order) };
  },
);
