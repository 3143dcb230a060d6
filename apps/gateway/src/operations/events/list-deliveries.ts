import type { OperationHandler } from "../operation.ts";
import { presentDelivery } from "@gateway/platform";

export const listDeliveries: OperationHandler<"listDeliveries"> = async ({ input, principal, deps }) => {
  const { webhookId, eventId, status, limit, cursor } = input.query;
  const page = await deps.events.deliveries.list({
    accountId: principal.accountId,
    webhookId,
    eventId,
    status,
    limit,
    cursor,
  });
  return {
    status: 200,
    data: page.items.map(presentDelivery),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
