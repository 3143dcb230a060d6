import { createWebhook } from "./create-webhook.ts";
import { deleteWebhook } from "./delete-webhook.ts";
import { disableWebhook } from "./disable-webhook.ts";
import { enableWebhook } from "./enable-webhook.ts";
import { getDelivery } from "./get-delivery.ts";
import { getEvent } from "./get-event.ts";
import { getWebhook } from "./get-webhook.ts";
import { getWebhookHealth } from "./get-webhook-health.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { listEvents } from "./list-events.ts";
import { listWebhooks } from "./list-webhooks.ts";
import { replayDeliveries } from "./replay-deliveries.ts";
import { resendDelivery } from "./resend-delivery.ts";
import { rollWebhookSecret } from "./roll-webhook-secret.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { updateWebhook } from "./update-webhook.ts";
import type { OperationsOf } from "../operation.ts";

export const eventsOperations = {
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  getDelivery,
  getEvent,
  getWebhook,
  getWebhookHealth,
  listDeliveries,
  listEvents,
  listWebhooks,
  replayDeliveries,
  resendDelivery,
  rollWebhookSecret,
  sendTestEvent,
  updateWebhook,
} satisfies OperationsOf<"events">;
