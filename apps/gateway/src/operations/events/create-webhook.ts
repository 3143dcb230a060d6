import { presentWebhook } from "@gateway/platform/events";
import type { OperationHandler } from "../operation.ts";

/** Only this response, its replay and that of a roll hold the secret. */
export const createWebhook: OperationHandler<"createWebhook"> = async ({ input, principal, deps }) => {
  const { url, events, description = null } = input.body;
  const webhook = await deps.events.webhooks.create({ accountId: principal.accountId, url, events, description });
  return { status: 201, data: { ...presentWebhook(webhook, deps.clock.now()), secret: webhook.secret } };
};
