import { presentWebhook } from "@gateway/platform/events";
import { answerOne, type OperationHandler } from "../operation.ts";

/** Disabling twice succeeds: a client that lost the first response must be able to ask again. */
export const disableWebhook: OperationHandler<"disableWebhook"> = answerOne(
  "webhook",
  ({ accountId, webhookId: id }, { events }) => events.webhooks.disable({ accountId, id }),
  presentWebhook,
);
