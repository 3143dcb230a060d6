import type { OperationHandler } from "../operation.ts";
import { presentDelivery, type DeliveryStatus } from "@gateway/platform";

export const listDeliveries: OperationHandler<"listDeliveries"> = async ({ input, principal, deps }) => {
  const { status, ...query } = input.query;
  const page = await deps.events.deliveries.list({
    accountId: principal.accountId,
    // The pattern of the parameter lets nothing else through.
    statuses: status?.split(",") as DeliveryStatus[] | undefined,
    ...query,
  });
  return {
    status: 200,
    data: page.items.map(presentDelivery),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
