import { presentWebhook } from "@gateway/platform/events";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listWebhooks: OperationHandler<"listWebhooks"> = answerPage(
  (query, { events }) => events.webhooks.list(query),
  presentWebhook,
);
