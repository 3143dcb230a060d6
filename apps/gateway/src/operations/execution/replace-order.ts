import { presentOrder } from "@gateway/platform/execution";
import type { Instrument } from "@gateway/platform/market-data";
import { withPreparation, type OperationHandler } from "../operation.ts";
import { noSuch } from "../no-such.ts";

export const replaceOrder: OperationHandler<"replaceOrder"> = withPreparation<"replaceOrder", Instrument | null>(
  ({ input, principal, deps }) =>
    deps.execution.orders.readInstrument({ id: input.path.orderId, accountId: principal.accountId }),
  async ({ input, principal, deps, prepared }) => {
    const instrument = prepared();
    const own = { id: input.path.orderId, accountId: principal.accountId };
    const order = instrument && (await deps.execution.orders.replace({ ...own, ...input.body, instrument }));
    if (!order) {
      throw noSuch("order");
    }
    return { status: 201, data: presentOrder(order) };
  },
);
