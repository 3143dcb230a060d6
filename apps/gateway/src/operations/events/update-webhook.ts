import type { OperationHandler } from "../operation.ts";
import { noSuch } from "../no-such.ts";
import { presentWebhook } from "@gateway/platform/events";

export const updateWebhook: OperationHandler<"updateWebhook"> = async ({ input, principal, deps }) => {
  const { url, events, description } = input.body;
  const own = { id: input.path.webhookId, accountId: principal.accountId };
  const webhook = await deps.events.webhooks.update({ ...own, url, events, description });
  if (!webhook) {
    throw noSuch("webhook");
  }
  return { status: 200, data: presentWebhook(webhook, deps.clock.now()) };
};
