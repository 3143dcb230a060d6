import { createApiKey } from "./accounts/create-api-key.ts";
import { getAccount } from "./accounts/get-account.ts";
import { getApiKey } from "./accounts/get-api-key.ts";
import { listApiKeys } from "./accounts/list-api-keys.ts";
import { revokeApiKey } from "./accounts/revoke-api-key.ts";
import { rollApiKey } from "./accounts/roll-api-key.ts";
import { createWebhook } from "./events/create-webhook.ts";
import { deleteWebhook } from "./events/delete-webhook.ts";
import { disableWebhook } from "./events/disable-webhook.ts";
import { enableWebhook } from "./events/enable-webhook.ts";
import { getDelivery } from "./events/get-delivery.ts";
import { getEvent } from "./events/get-event.ts";
import { getWebhook } from "./events/get-webhook.ts";
import { listDeliveries } from "./events/list-deliveries.ts";
import { listEvents } from "./events/list-events.ts";
import { listWebhooks } from "./events/list-webhooks.ts";
import { replayDeliveries } from "./events/replay-deliveries.ts";
import { resendDelivery } from "./events/resend-delivery.ts";
import { rollWebhookSecret } from "./events/roll-webhook-secret.ts";
import { sendTestEvent } from "./events/send-test-event.ts";
import { updateWebhook } from "./events/update-webhook.ts";
import { createWallet } from "./ledger/create-wallet.ts";
import { getWallet } from "./ledger/get-wallet.ts";
import { listWallets } from "./ledger/list-wallets.ts";
import type { OperationTable } from "./operation.ts";

/** Every operation of the document, and nothing else: one missing or one too many does not compile. */
export const operationTable = {
  createApiKey,
  createWallet,
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  getAccount,
  getApiKey,
  getDelivery,
  getEvent,
  getWallet,
  getWebhook,
  listApiKeys,
  listDeliveries,
  listEvents,
  listWallets,
  listWebhooks,
  replayDeliveries,
  resendDelivery,
  revokeApiKey,
  rollApiKey,
  rollWebhookSecret,
  sendTestEvent,
  updateWebhook,
} satisfies OperationTable;
