import { presentWebhook } from "@gateway/platform/events";
import { answerOne, type OperationHandler } from "../operation.ts";

/** Returns the webhook as it was. A second call finds none: 404. */
export const deleteWebhook: OperationHandler<"deleteWebhook"> = answerOne(
  "webhook",
  ({ accountId, webhookId: id }, { events }) => events.webhooks.delete({ accountId, id }),
  presentWebhook,
);
