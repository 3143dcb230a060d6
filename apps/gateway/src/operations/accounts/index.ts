import { createApiKey } from "./create-api-key.ts";
import { createOauthApplication } from "./create-oauth-application.ts";
import { deleteOauthApplication } from "./delete-oauth-application.ts";
import { getAccount } from "./get-account.ts";
import { getApiKey } from "./get-api-key.ts";
import { getAuditEvent } from "./get-audit-event.ts";
import { getOauthApplication } from "./get-oauth-application.ts";
import { getPerson } from "./get-person.ts";
import { invitePerson } from "./invite-person.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { listAuditEvents } from "./list-audit-events.ts";
import { listOauthApplications } from "./list-oauth-applications.ts";
import { listPeople } from "./list-people.ts";
import { removePerson } from "./remove-person.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { rollApiKey } from "./roll-api-key.ts";
import { updateAccount } from "./update-account.ts";
import { updateOauthApplication } from "./update-oauth-application.ts";
import { updatePerson } from "./update-person.ts";
import type { OperationsOf } from "../operation.ts";

export const accountsOperations = {
  createApiKey,
  createOauthApplication,
  deleteOauthApplication,
  getAccount,
  getApiKey,
  getAuditEvent,
  getOauthApplication,
  getPerson,
  invitePerson,
  listApiKeys,
  listAuditEvents,
  listOauthApplications,
  listPeople,
  removePerson,
  revokeApiKey,
  rollApiKey,
  updateAccount,
  updateOauthApplication,
  updatePerson,
} satisfies OperationsOf<"accounts">;
