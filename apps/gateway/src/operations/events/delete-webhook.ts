import type { OperationHandler } from "../operation.ts";
import { presentWebhook } from "@gateway/platform/events";
import { answerOne } from "../answer.ts";

/** Answers the webhook as it was. A second time there is none to answer: 404. */
export const deleteWebhook: OperationHandler<"deleteWebhook"> = answerOne(
  "webhook",
  ({ accountId, webhookId: id }, { events }) => events.webhooks.delete({ accountId, id }),
  presentWebhook,
);
