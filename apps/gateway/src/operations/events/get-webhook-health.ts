import { presentWebhookHealth } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { noSuchWebhook } from "./no-such-webhook.ts";

export const getWebhookHealth: OperationHandler<"getWebhookHealth"> = async ({ input, principal, deps }) => {
  const health = await deps.events.webhooks.health({ id: input.path.webhookId, accountId: principal.accountId });
  if (!health) {
    throw noSuchWebhook();
  }
  return { status: 200, data: presentWebhookHealth(health) };
};
