import { presentWebhook } from "@gateway/platform/events";
import { answerOne, type OperationHandler } from "../operation.ts";

/** Enabling twice succeeds: a client that lost the first response must be able to ask again. */
export const enableWebhook: OperationHandler<"enableWebhook"> = answerOne(
  "webhook",
  ({ accountId, webhookId: id }, { events }) => events.webhooks.enable({ accountId, id }),
  presentWebhook,
);
