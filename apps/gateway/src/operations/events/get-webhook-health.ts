import { presentWebhookHealth } from "@gateway/platform/events";
import { answerOne, type OperationHandler } from "../operation.ts";

export const getWebhookHealth: OperationHandler<"getWebhookHealth"> = answerOne(
  "webhook",
  ({ accountId, webhookId: id }, { events }) => events.webhooks.health({ accountId, id }),
  presentWebhookHealth,
);
