import type { OperationHandler } from "../operation.ts";
import { noSuchWebhook } from "./no-such-webhook.ts";
import { presentWebhook } from "@gateway/platform";

export const updateWebhook: OperationHandler<"updateWebhook"> = async ({ input, principal, deps }) => {
  const { url, events, description } = input.body;
  const own = { id: input.path.webhookId, accountId: principal.accountId };
  const webhook = await deps.events.webhooks.update({ ...own, url, events, description });
  if (!webhook) {
    throw noSuchWebhook();
  }
  return { status: 200, data: presentWebhook(webhook, deps.clock.now()) };
};
