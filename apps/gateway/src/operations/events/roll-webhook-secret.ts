import { presentWebhook } from "@gateway/platform/events";
import { found, type OperationHandler } from "../operation.ts";

/** At most two secrets sign, so a roll during an overlap ends the oldest at once. */
export const rollWebhookSecret: OperationHandler<"rollWebhookSecret"> = async ({ input, principal, deps }) => {
  const own = { id: input.path.webhookId, accountId: principal.accountId };
  const webhook = found("webhook", await deps.events.webhooks.rollSecret({ ...input.body, ...own }));
  return { status: 201, data: { ...presentWebhook(webhook, deps.clock.now()), secret: webhook.secret } };
};
