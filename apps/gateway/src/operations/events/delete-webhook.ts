import type { OperationHandler } from "../operation.ts";
import { noSuchWebhook } from "./no-such-webhook.ts";
import { presentWebhook } from "@gateway/platform";

/** Answers the webhook as it was. A second time there is none to answer: 404. */
export const deleteWebhook: OperationHandler<"deleteWebhook"> = async ({ input, principal, deps }) => {
  const webhook = await deps.events.webhooks.delete({ id: input.path.webhookId, accountId: principal.accountId });
  if (!webhook) {
    throw noSuchWebhook();
  }
  return { status: 200, data: presentWebhook(webhook, deps.clock.now()) };
};
