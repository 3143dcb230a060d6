import type { OperationHandler } from "../operation.ts";
import { presentWebhook } from "@gateway/platform";

export const listWebhooks: OperationHandler<"listWebhooks"> = async ({ input, principal, deps }) => {
  const page = await deps.events.webhooks.list({ accountId: principal.accountId, ...input.query });
  const nowMs = deps.clock.now();
  return {
    status: 200,
    data: page.items.map((webhook) => presentWebhook(webhook, nowMs)),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
