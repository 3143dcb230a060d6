import type { OperationHandler } from "../operation.ts";
import { noSuchWebhook } from "./no-such-webhook.ts";
import { presentWebhook } from "@gateway/platform";

/** Twice succeeds: a client that lost our first answer must be able to ask again. */
export const enableWebhook: OperationHandler<"enableWebhook"> = async ({ input, principal, deps }) => {
  const webhook = await deps.events.webhooks.enable({ id: input.path.webhookId, accountId: principal.accountId });
  if (!webhook) {
    throw noSuchWebhook();
  }
  return { status: 200, data: presentWebhook(webhook, deps.clock.now()) };
};
