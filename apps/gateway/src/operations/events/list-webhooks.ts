import type { OperationHandler } from "../operation.ts";
import { presentWebhook } from "@gateway/platform/events";
import { answerPage } from "../answer.ts";

export const listWebhooks: OperationHandler<"listWebhooks"> = answerPage(
  (query, { events }) => events.webhooks.list(query),
  presentWebhook,
);
