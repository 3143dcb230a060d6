import { presentPayment } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listPayments: OperationHandler<"listPayments"> = async ({ input, principal, deps }) => {
  const { accountId } = principal;
  const page = await deps.orchestra.payments.list({ accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentPayment),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
