import { transaction, type Database, type Schema } from "@gateway/database";
import type { Kysely } from "kysely";
import type { Cipher, Clock, CursorCodec } from "@gateway/kernel";
import { createAccounts, type Accounts } from "./accounts/account.ts";
import { createApiKeys, type ApiKeys } from "./accounts/api-key.ts";
import { createGrants, type Grants } from "./accounts/grant.ts";
import { createIdempotencyRecords, type IdempotencyRecords } from "./accounts/idempotency.ts";
import { createMailLinks, type MailLinks } from "./accounts/mail-link.ts";
import { createPasskeys, type Passkeys } from "./accounts/passkey.ts";
import { createProviderRecords, type ProviderRecords } from "./accounts/provider-record.ts";
import { createRefreshAnswers, type RefreshAnswers } from "./accounts/refresh-answer.ts";
import { createSigningKeys, type SigningKeys } from "./accounts/signing-key.ts";
import { createSessions, type Sessions } from "./accounts/session.ts";
import { createUsers, type Users } from "./accounts/user.ts";
import { createOauthApplications, type OauthApplications } from "./accounts/oauth-application.ts";
import { createPeople, type People } from "./accounts/person.ts";
import { createTokenExchanges, type TokenExchanges } from "./accounts/token-exchange.ts";
import { createUserMails, type UserMails } from "./accounts/user-mail.ts";
import { createDeliveries, type Deliveries } from "./events/delivery.ts";
import { createEventRetention, type EventRetention } from "./events/event-retention.ts";
import { noEventRules, type EventRules } from "./events/event-rules.ts";
import { createEvents, type Events } from "./events/event.ts";
import { createWebhooks, type Webhooks } from "./events/webhook.ts";
import { createWallets, type Wallets } from "./ledger/wallet.ts";

export type PlatformDeps = {
  clock: Clock;
  cipher: Cipher;
  cursors: CursorCodec;
  livemode: boolean;
  /** Needed by processes that record events or register webhooks. */
  eventRules?: EventRules;
};

/** The business, noun by noun. */
export type Services = {
  accounts: Accounts;
  apiKeys: ApiKeys;
  applications: OauthApplications;
  deliveries: Deliveries;
  eventRetention: EventRetention;
  events: Events;
  grants: Grants;
  idempotency: IdempotencyRecords;
  mailLinks: MailLinks;
  people: People;
  passkeys: Passkeys;
  providerRecords: ProviderRecords;
  refreshAnswers: RefreshAnswers;
  sessions: Sessions;
  signingKeys: SigningKeys;
  tokenExchanges: TokenExchanges;
  userMails: UserMails;
  users: Users;
  wallets: Wallets;
  webhooks: Webhooks;
};

export interface Platform extends Services {
  /** Runs `work` with services that all write in one transaction: committed when it resolves, rolled back when it throws. */
  transaction<Result>(work: (services: Services) => Promise<Result>): Promise<Result>;
}

export function createPlatform(database: Database, options: PlatformDeps): Platform {
  const deps = { eventRules: noEventRules, ...options };
  return {
    ...createServices(database.kysely, deps),
    transaction: (work) => transaction(database.kysely, (executor) => work(createServices(executor, deps))),
  };
}

function createServices(db: Kysely<Schema>, deps: Required<PlatformDeps>): Services {
  return {
    accounts: createAccounts(db, deps),
    apiKeys: createApiKeys(db, deps),
    applications: createOauthApplications(db, deps),
    deliveries: createDeliveries(db, deps),
    eventRetention: createEventRetention(db, deps),
    events: createEvents(db, deps),
    grants: createGrants(db, deps),
    idempotency: createIdempotencyRecords(db, deps),
    mailLinks: createMailLinks(db, deps),
    people: createPeople(db, deps),
    passkeys: createPasskeys(db, deps),
    providerRecords: createProviderRecords(db, deps),
    refreshAnswers: createRefreshAnswers(db, deps),
    signingKeys: createSigningKeys(db, deps),
    tokenExchanges: createTokenExchanges(db, deps),
    sessions: createSessions(db, deps),
    users: createUsers(db, deps),
    userMails: createUserMails(db, deps),
    wallets: createWallets(db, deps),
    webhooks: createWebhooks(db, deps),
  };
}
