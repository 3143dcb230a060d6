import type { OperationHandler } from "../operation.ts";
import { noSuch } from "../no-such.ts";
import { presentWebhook } from "@gateway/platform/events";

/** At most two secrets sign, so a roll during an overlap ends the oldest at once. */
export const rollWebhookSecret: OperationHandler<"rollWebhookSecret"> = async ({ input, principal, deps }) => {
  const webhook = await deps.events.webhooks.rollSecret({
    id: input.path.webhookId,
    accountId: principal.accountId,
    overlapSeconds: input.body.overlapSeconds,
  });
  if (!webhook) {
    throw noSuch("webhook");
  }
  return { status: 201, data: { ...presentWebhook(webhook, deps.clock.now()), secret: webhook.secret } };
};
