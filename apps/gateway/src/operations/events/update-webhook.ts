import { presentWebhook } from "@gateway/platform/events";
import { answerOne, type OperationHandler } from "../operation.ts";

export const updateWebhook: OperationHandler<"updateWebhook"> = answerOne(
  "webhook",
  ({ accountId, webhookId: id }, { events }, { body }) => events.webhooks.update({ ...body, id, accountId }),
  presentWebhook,
);
