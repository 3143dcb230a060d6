import { createApiKey } from "./accounts/create-api-key.ts";
import { createOauthApplication } from "./accounts/create-oauth-application.ts";
import { deleteOauthApplication } from "./accounts/delete-oauth-application.ts";
import { getAccount } from "./accounts/get-account.ts";
import { getApiKey } from "./accounts/get-api-key.ts";
import { getOauthApplication } from "./accounts/get-oauth-application.ts";
import { getPerson } from "./accounts/get-person.ts";
import { invitePerson } from "./accounts/invite-person.ts";
import { listApiKeys } from "./accounts/list-api-keys.ts";
import { listOauthApplications } from "./accounts/list-oauth-applications.ts";
import { listPeople } from "./accounts/list-people.ts";
import { removePerson } from "./accounts/remove-person.ts";
import { revokeApiKey } from "./accounts/revoke-api-key.ts";
import { rollApiKey } from "./accounts/roll-api-key.ts";
import { updateOauthApplication } from "./accounts/update-oauth-application.ts";
import { updatePerson } from "./accounts/update-person.ts";
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
  createOauthApplication,
  createWallet,
  createWebhook,
  deleteOauthApplication,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  getAccount,
  getApiKey,
  getDelivery,
  getEvent,
  getOauthApplication,
  getPerson,
  getWallet,
  getWebhook,
  invitePerson,
  listApiKeys,
  listDeliveries,
  listEvents,
  listOauthApplications,
  listPeople,
  listWallets,
  listWebhooks,
  removePerson,
  replayDeliveries,
  resendDelivery,
  revokeApiKey,
  rollApiKey,
  rollWebhookSecret,
  sendTestEvent,
  updateOauthApplication,
  updatePerson,
  updateWebhook,
} satisfies OperationTable;
