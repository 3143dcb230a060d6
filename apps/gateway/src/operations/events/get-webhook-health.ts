import { presentWebhookHealth } from "@gateway/platform/events";
import type { OperationHandler } from "../operation.ts";
import { answerOne } from "../answer.ts";

export const getWebhookHealth: OperationHandler<"getWebhookHealth"> = answerOne(
  "webhook",
  ({ accountId, webhookId: id }, { events }) => events.webhooks.health({ accountId, id }),
  presentWebhookHealth,
);
