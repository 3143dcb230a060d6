import type { AccountsDeps } from "./accounts-deps.ts";
import type { Kysely } from "kysely";
import { createAccountStore } from "./account.ts";
import { createApiKeys } from "./api-key.ts";
import { createClosing } from "./closing.ts";
import { createGrants } from "./grant.ts";
import { createIdempotencyClaims } from "./idempotency-claim.ts";
import { createIdempotencyRecords } from "./idempotency.ts";
import { createOauthApplications } from "./oauth-application.ts";
import { createPeople } from "./person.ts";
import type { AccountsTables } from "./tables.ts";

export * from "./account-email.ts";
export * from "./account.ts";
export * from "./api-key-secret.ts";
export * from "./api-key-status.ts";
export * from "./api-key.ts";
export type { ApiKeyHolder } from "./api-key-holder.ts";
export type { ApiKey, ApiKeyWithSecret } from "./api-key-row.ts";
export * from "./closing.ts";
export * from "./grant.ts";
export type { IdempotencyRecords, StoredAnswer } from "./idempotency.ts";
export type { IdempotencyClaims } from "./idempotency-claim.ts";
export type { Invitation } from "./invitation.ts";
export type { LastKeyUse, LastUse } from "./last-use.ts";
export type { RequestOrigin } from "./tables.ts";
export { lockAccount } from "./lock-account.ts";
export { consoleApplication } from "./console-application.ts";
export * from "./oauth-application.ts";
export * from "@gateway/contract/permissions";
export * from "./person.ts";
export type { Person } from "./person-view.ts";
export { listPlaces } from "./place.ts";
export { presentAccount } from "./present-account.ts";
export { presentApiKey } from "./present-api-key.ts";
export { presentOauthApplication, type OauthApplication } from "./present-oauth-application.ts";
export { presentPerson } from "./present-person.ts";
export * from "./redirect-uri.ts";
export * from "./role.ts";
export type { AccountsTables } from "./tables.ts";
export * from "./tier.ts";

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts(db: Kysely<AccountsTables>, deps: AccountsDeps) {
  return {
    ...createAccountStore(db, deps),
    apiKeys: createApiKeys(db, deps),
    closing: createClosing(db, deps),
    grants: createGrants(db, deps),
    idempotency: createIdempotencyRecords(db, deps),
    idempotencyClaims: createIdempotencyClaims(db, deps),
    oauthApplications: createOauthApplications(db, deps),
    people: createPeople(db, deps),
  };
}
