import { presentWebhook } from "@gateway/platform/events";
import { answerOne, type OperationHandler } from "../operation.ts";

export const getWebhook: OperationHandler<"getWebhook"> = answerOne(
  "webhook",
  ({ accountId, webhookId: id }, { events }) => events.webhooks.get({ accountId, id }),
  presentWebhook,
);
