import type { OperationHandler } from "../operation.ts";
import { presentWebhook } from "@gateway/platform";

export const listWebhooks: OperationHandler<"listWebhooks"> = async ({ input, principal, deps }) => {
  const { limit, cursor } = input.query;
  const page = await deps.events.webhooks.list({ accountId: principal.accountId, limit, cursor });
  const nowMs = deps.clock.now();
  return {
    status: 200,
    data: page.items.map((webhook) => presentWebhook(webhook, nowMs)),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
