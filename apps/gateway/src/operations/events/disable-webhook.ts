import type { OperationHandler } from "../operation.ts";
import { noSuchWebhook } from "./no-such-webhook.ts";
import { presentWebhook } from "@gateway/platform";

/** Twice succeeds: a client that lost our first answer must be able to ask again. */
export const disableWebhook: OperationHandler<"disableWebhook"> = async ({ input, principal, deps }) => {
  const webhook = await deps.events.webhooks.disable({ id: input.path.webhookId, accountId: principal.accountId });
  if (!webhook) {
    throw noSuchWebhook();
  }
  return { status: 200, data: presentWebhook(webhook, deps.clock.now()) };
};
