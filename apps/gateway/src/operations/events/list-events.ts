import type { OperationHandler } from "../operation.ts";

export const listEvents: OperationHandler<"listEvents"> = async ({ input, principal, deps }) => {
  const page = await deps.events.list({ accountId: principal.accountId, ...input.query });
  return {
    status: 200,
    data: page.items,
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
