import type { OperationHandler } from "../operation.ts";
import { presentWebhook } from "@gateway/platform/events";

/** Beside a roll the only answer that holds the secret, and its replayed answer does. */
export const createWebhook: OperationHandler<"createWebhook"> = async ({ input, principal, deps }) => {
  const { url, events, description = null } = input.body;
  const webhook = await deps.events.webhooks.create({ accountId: principal.accountId, url, events, description });
  return { status: 201, data: { ...presentWebhook(webhook, deps.clock.now()), secret: webhook.secret } };
};
