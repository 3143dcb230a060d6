import type { OperationHandler } from "../operation.ts";
import { presentWebhook } from "@gateway/platform/events";
import { answerOne } from "../answer.ts";

export const getWebhook: OperationHandler<"getWebhook"> = answerOne(
  "webhook",
  ({ accountId, webhookId: id }, { events }) => events.webhooks.get({ accountId, id }),
  presentWebhook,
);
