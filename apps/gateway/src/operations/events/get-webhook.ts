import type { OperationHandler } from "../operation.ts";
import { noSuchWebhook } from "./no-such-webhook.ts";
import { presentWebhook } from "@gateway/platform";

export const getWebhook: OperationHandler<"getWebhook"> = async ({ input, principal, deps }) => {
  const webhook = await deps.events.webhooks.get({ id: input.path.webhookId, accountId: principal.accountId });
  if (!webhook) {
    throw noSuchWebhook();
  }
  return { status: 200, data: presentWebhook(webhook, deps.clock.now()) };
};
