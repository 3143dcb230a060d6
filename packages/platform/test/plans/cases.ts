import { Problem, type ProblemCode } from "@gateway/contract";
import { createCipher, createCursorCodec, systemClock } from "@gateway/kernel";
import { createHash } from "node:crypto";
import {
  noPorts,
  maxPeopleOfAccount,
  notifyOwners,
  type EventFilter,
  type EventType,
  type Platform,
  type PlatformDeps,
  type Services,
  type WalletFilter,
} from "../../src/index.ts";
import { mostExamined } from "../../src/examine-page.ts";
import { ago, firstRows, idAt, liveRows, owners } from "./row-values.ts";

export type Case = {
  name: string;
  ask: (platform: Platform) => Promise<unknown>;
  /** How many rows come back, or null for a change that answers none. */
  answers: number | null;
  /** How many rows it has to look at; as many as it answers, unless said. */
  looksAt?: number;
  /** It walks along an index and looks at each row: no step of a statement may handle more than one walk of `examinePage`. */
  examines?: boolean;
};

export const limit = 20;
const { huge, small, none } = owners;
export const cursors = createCursorCodec(Buffer.alloc(32, "key"));

const unused = (): never => {
  throw new Error("Nothing that is measured asks the outside.");
};

/** What an account changed of prices is looked up, and of the prices themselves there are none. */
const silentSources = {
  read: async () => [],
  book: async () => ({ bids: [], asks: [] }),
  bars: async () => [],
  trades: async () => [],
};

export const deps: PlatformDeps = {
  clock: systemClock,
  // Postgres makes the rows, and seals nothing.
  cipher: { ...createCipher([Buffer.alloc(32, "key")]), open: (bytes) => Buffer.from(bytes) },
  cursors,
  livemode: false,
  createPorts: () => ({
    ...noPorts,
    chain: { createAddress: unused, submit: unused },
    rail: { submit: unused, cancel: unused },
    venue: { place: unused, cancel: unused, replace: unused, reconcile: unused },
    kycEngine: { check: unused },
    priceSources: silentSources,
  }),
  eventRules: { checkEvent: () => {}, exampleObject: () => ({}), findWebhookUrlProblem: async () => null },
};

/** Every list and look-up that a customer can cause, on so many rows. */
export function createCases(rows: number): Case[] {
  return [
    ...listCases(rows),
    ...walletCases(rows),
    ...createdCases(rows),
    ...eventCases(rows),
    ...externalIdCases(rows),
    ...identityCases(rows),
    ...changeCases(rows),
  ];
}

type List = {
  list: string;
  prefix: string;
  /** Of the filters that are not sent, in the name of the list. */
  more?: string;
  nounOf(platform: Platform): {
    list(request: { accountId: string; limit: number; cursor?: string }): Promise<unknown>;
    get?(own: { id: string; accountId: string }): Promise<unknown>;
  };
};

const accountLists: List[] = [
  { list: "wallets", prefix: "wal", nounOf: ({ ledger }: Platform) => ledger.wallets },
  { list: "counterparties", prefix: "cpy", nounOf: ({ orchestra }: Platform) => orchestra.counterparties },
  { list: "kyc-verifications", prefix: "kyc", nounOf: ({ identity }: Platform) => identity.verifications },
  { list: "payments", prefix: "pay", nounOf: ({ orchestra }: Platform) => orchestra.payments },
  { list: "deposits", prefix: "dep", more: "  ", nounOf: ({ custody }: Platform) => custody.deposits },
  { list: "deposit-addresses", prefix: "adr", more: " ", nounOf: ({ custody }: Platform) => custody.depositAddresses },
  { list: "transfers", prefix: "trf", more: "  ", nounOf: ({ custody }: Platform) => custody.transfers },
  { list: "approvals", prefix: "apr", more: "  ", nounOf: ({ custody }: Platform) => custody.approvals },
  { list: "address-book", prefix: "adb", nounOf: ({ custody }: Platform) => custody.addressBook },
  { list: "orders", prefix: "ord", nounOf: ({ execution }: Platform) => execution.orders },
  { list: "fills", prefix: "fil", nounOf: ({ execution }: Platform) => execution.fills },
  { list: "valuations", prefix: "val", nounOf: ({ portfolio }: Platform) => portfolio.valuations },
  { list: "api-keys", prefix: "key", nounOf: ({ accounts }: Platform) => accounts.apiKeys },
  { list: "people", prefix: "per", nounOf: ({ accounts }: Platform) => accounts.people },
  { list: "oauth-applications", prefix: "app", nounOf: ({ accounts }: Platform) => accounts.oauthApplications },
  { list: "webhooks", prefix: "whk", nounOf: ({ events }: Platform) => events.webhooks },
];

/** Of these nothing is asked alone. */
const withoutOne = ["deposit-addresses", "address-book", "fills"];

const listCases = (rows: number): Case[] =>
  accountLists.flatMap(({ list, prefix, more = "", nounOf }): Case[] => {
    const page = (accountId: string, position?: number) => (platform: Platform) =>
      nounOf(platform).list({ accountId, limit, ...cursorAt(`${list} ${accountId}${more}`, prefix, position) });
    const one = (accountId: string) => async (platform: Platform) =>
      nounOf(platform).get?.({ id: idAt(prefix, 3), accountId });
    const isHistoryDeleted = list === "oauth-applications" || list === "webhooks";
    const begin = list === "people" ? rows - maxPeopleOfAccount : firstRows;
    return [
      { name: `${list}: the newest`, answers: limit, ask: page(huge.accountId) },
      {
        name: `${list}: half way`,
        answers: isHistoryDeleted ? 0 : limit,
        ask: page(huge.accountId, (begin + rows) / 2),
      },
      { name: `${list}: the oldest`, answers: isHistoryDeleted ? 0 : 5, ask: page(huge.accountId, begin + 6) },
      { name: `${list}: of an account with few`, answers: 5, ask: page(small.accountId) },
      { name: `${list}: of an account with none`, answers: 0, ask: page(none.accountId) },
      ...(withoutOne.includes(list)
        ? []
        : [
            { name: `${list}: one`, answers: 1, ask: one(small.accountId) },
            { name: `${list}: another's`, answers: 0, ask: one(huge.accountId) },
          ]),
    ];
  });

/** Three of the huge account, the oldest, are closed and in JPY; all others are active and in EUR. */
const walletCases = (rows: number): Case[] => {
  const page = (accountId: string, filter: WalletFilter, position?: number) => (platform: Platform) => {
    const list = `wallets ${accountId} ${filter.currency ?? ""} ${filter.status ?? ""}`;
    return platform.ledger.wallets.list({ accountId, limit, ...filter, ...cursorAt(list, "wal", position) });
  };
  const frequent = [{ currency: "EUR" }, { status: "active" }, { currency: "EUR", status: "active" }] as const;
  const rare = [{ currency: "JPY" }, { status: "closed" }, { currency: "JPY", status: "closed" }] as const;
  const never = [{ currency: "BTC" }, { status: "frozen" }, { currency: "EUR", status: "closed" }] as const;
  const named = (filter: WalletFilter): string => `wallets of ${Object.values(filter).join(" and ")}`;
  return [
    ...frequent.flatMap((filter): Case[] => [
      { name: `${named(filter)}: the newest`, answers: limit, ask: page(huge.accountId, filter) },
      { name: `${named(filter)}: half way`, answers: limit, ask: page(huge.accountId, filter, rows / 2) },
      { name: `${named(filter)}: the oldest`, answers: 2, ask: page(huge.accountId, filter, firstRows + 6) },
      { name: `${named(filter)}: of an account with few`, answers: 5, ask: page(small.accountId, filter) },
    ]),
    ...rare.flatMap((filter): Case[] => [
      { name: named(filter), answers: 3, ask: page(huge.accountId, filter) },
      { name: `${named(filter)}: half way`, answers: 3, ask: page(huge.accountId, filter, rows / 2) },
      { name: `${named(filter)}: of another account`, answers: 0, ask: page(small.accountId, filter) },
    ]),
    ...never.map((filter): Case => ({ name: named(filter), answers: 0, ask: page(huge.accountId, filter) })),
  ];
};

const createdLists = [
  { list: "api-keys", prefix: "key", nounOf: ({ accounts }: Platform) => accounts.apiKeys },
  { list: "oauth-applications", prefix: "app", nounOf: ({ accounts }: Platform) => accounts.oauthApplications },
  { list: "webhooks", prefix: "whk", nounOf: ({ events }: Platform) => events.webhooks },
];

const createdCases = (rows: number): Case[] =>
  createdLists.flatMap(({ list, prefix, nounOf }): Case[] => {
    const page = (accountId: string, createdBy: string, position?: number) => (platform: Platform) =>
      nounOf(platform).list({
        accountId,
        createdBy,
        limit,
        ...cursorAt(`${list} ${accountId} ${createdBy}`, prefix, position),
      });
    const [key, person] = [idAt("key", 1), idAt("per", 1)];
    const isHistoryDeleted = list !== "api-keys";
    return [
      { name: `${list} that a key made: the newest`, answers: limit, ask: page(huge.accountId, key) },
      {
        name: `${list} that a key made: half way`,
        answers: isHistoryDeleted ? 0 : limit,
        ask: page(huge.accountId, key, rows / 2),
      },
      { name: `${list} that a key made: of an account with few`, answers: 5, ask: page(small.accountId, key) },
      { name: `${list} that a key made: of an account with none`, answers: 0, ask: page(none.accountId, key) },
      {
        name: `${list} that a person made`,
        answers: isHistoryDeleted ? 0 : 3,
        ask: page(huge.accountId, person),
      },
      { name: `${list} that a person made elsewhere`, answers: 0, ask: page(small.accountId, person) },
      { name: `${list} that nobody made`, answers: 0, ask: page(huge.accountId, idAt("per", 2)) },
    ];
  });

export const eventCases = (rows: number): Case[] => {
  const page = (accountId: string, type?: EventType, position?: number) => (platform: Platform) =>
    platform.events.list({
      accountId,
      type,
      limit,
      ...cursorAt(`events ${accountId} ${type ?? ""}`, "evt", position),
    });
  const by =
    (filter: EventFilter, accountId = huge.accountId) =>
    (platform: Platform) =>
      platform.events.list({ accountId, limit, ...filter });
  const most = Math.min(mostExamined, rows);
  const examined = (name: string, answers: number, looksAt: number, filter: EventFilter): Case => ({
    ...{ name: `events ${name}`, answers, ask: by(filter), examines: true },
    // The time of the account is looked up as well.
    looksAt: looksAt + 1,
  });
  const follow = (accountId: string, position?: number) => (platform: Platform) =>
    platform.events.follow({
      accountId,
      limit,
      ...(position !== undefined && {
        after: cursors.encode(
          `events followed ${accountId}`,
          `1 ${3 + Math.floor(position / 1000)} ${Date.now()} ${idAt("evt", position)}`,
        ),
      }),
    });
  return [
    { name: "events: the newest", answers: limit, ask: page(huge.accountId) },
    { name: "events: half way", answers: limit, ask: page(huge.accountId, undefined, rows / 2) },
    { name: "events: the oldest", answers: 5, ask: page(huge.accountId, undefined, firstRows + 6) },
    { name: "events: of an account with few", answers: 5, ask: page(small.accountId) },
    { name: "events: of an account with none", answers: 0, ask: page(none.accountId) },
    { name: "events of a frequent type: the newest", answers: limit, ask: page(huge.accountId, "wallet.created") },
    {
      name: "events of a frequent type: half way",
      answers: limit,
      ask: page(huge.accountId, "wallet.created", rows / 2),
    },
    {
      name: "events of a frequent type: the oldest",
      answers: 2,
      ask: page(huge.accountId, "wallet.created", firstRows + 6),
    },
    {
      name: "events of a frequent type: of an account with few",
      answers: 5,
      ask: page(small.accountId, "wallet.created"),
    },
    { name: "events of a rare type", answers: 3, ask: page(huge.accountId, "payment.settled") },
    { name: "events of a rare type: half way", answers: 3, ask: page(huge.accountId, "payment.settled", rows / 2) },
    { name: "events of a type that never was", answers: 0, ask: page(huge.accountId, "kyc.verified") },
    { name: "events of an object", answers: 1, ask: by({ objectId: idAt("wal", rows - 1) }) },
    { name: "events of an object that is nobody's", answers: 0, ask: by({ objectId: idAt("wal", rows + 1) }) },
    { name: "events of another's object", answers: 0, ask: by({ objectId: idAt("wal", rows - 1) }, small.accountId) },
    { name: "events of a busy object", answers: limit, ask: by({ objectId: idAt("wal", 0) }) },
    { name: "events listed of a request", answers: 1, ask: by({ requestId: idAt("req", rows) }) },
    { name: "events listed of a request that caused none", answers: 0, ask: by({ requestId: idAt("req", rows + 1) }) },
    examined("of a request, of another type", 0, 1, { requestId: idAt("req", rows), type: "kyc.verified" }),
    examined("of a busy object, of a frequent type", limit, 100, { objectId: idAt("wal", 0), type: "wallet.created" }),
    examined("of a busy object, of a type that never was", 0, rows / 10, {
      ...{ objectId: idAt("wal", 0), type: "kyc.verified" as const },
    }),
    examined("since a minute ago", limit, 100, { since: ago(60_000) }),
    examined("until in a minute, of a frequent type", limit, 100, { until: ago(-60_000), type: "wallet.created" }),
    examined("since later than all", 0, most, { since: ago(-30_000) }),
    examined("since later than all, of a frequent type", 0, most, { since: ago(-30_000), type: "wallet.created" }),
    examined("of a time long before", 0, 1, { since: ago(7_200_000), until: ago(3_600_000) }),
    { name: "events of a type that another account has", answers: 0, ask: page(small.accountId, "payment.settled") },
    { name: "events followed: from the oldest", answers: limit, ask: follow(huge.accountId) },
    { name: "events followed: half way", answers: limit, ask: follow(huge.accountId, rows / 2) },
    { name: "events followed: the last", answers: 5, ask: follow(huge.accountId, rows - 5) },
    { name: "events followed: nothing new", answers: 0, ask: follow(huge.accountId, rows) },
    { name: "events followed: of an account with few", answers: 5, ask: follow(small.accountId) },
    {
      name: "events followed: of an account with few, nothing new",
      answers: 0,
      ask: follow(small.accountId, rows / 2),
    },
    { name: "events followed: of an account with none", answers: 0, ask: follow(none.accountId) },
    {
      name: "events of a request",
      answers: 3,
      ask: ({ events }) => events.idsOfRequest({ accountId: huge.accountId, requestId: idAt("req", 0) }),
    },
    {
      name: "events of another's request",
      answers: 0,
      ask: ({ events }) => events.idsOfRequest({ accountId: small.accountId, requestId: idAt("req", 0) }),
    },
    {
      name: "events: one",
      answers: 1,
      ask: ({ events }) => events.get({ id: idAt("evt", rows), accountId: huge.accountId }),
    },
    {
      name: "events: another's",
      answers: 0,
      ask: ({ events }) => events.get({ id: idAt("evt", rows), accountId: small.accountId }),
    },
  ];
};

const listsByExternalId = [
  { list: "wallets", nounOf: ({ ledger }: Platform) => ledger.wallets },
  { list: "counterparties", nounOf: ({ orchestra }: Platform) => orchestra.counterparties },
  { list: "kyc-verifications", nounOf: ({ identity }: Platform) => identity.verifications },
  { list: "payments", nounOf: ({ orchestra }: Platform) => orchestra.payments },
  { list: "deposit-addresses", nounOf: ({ custody }: Platform) => custody.depositAddresses },
  { list: "transfers", nounOf: ({ custody }: Platform) => custody.transfers },
  { list: "orders", nounOf: ({ execution }: Platform) => execution.orders },
  { list: "valuations", nounOf: ({ portfolio }: Platform) => portfolio.valuations },
];

/** Row n has the external id n. */
const externalIdCases = (rows: number): Case[] =>
  listsByExternalId.flatMap(({ list, nounOf }): Case[] => {
    const find = (accountId: string, position: number) => (platform: Platform) =>
      nounOf(platform).list({ accountId, externalId: String(position), limit });
    return [
      { name: `${list}: an external id`, answers: 1, ask: find(huge.accountId, rows) },
      { name: `${list}: an external id of an account with few`, answers: 1, ask: find(small.accountId, 3) },
      { name: `${list}: an external id of another account`, answers: 0, ask: find(small.accountId, rows) },
      { name: `${list}: an external id of nobody`, answers: 0, ask: find(huge.accountId, rows + 1) },
    ];
  });

const refreshToken = { model: "RefreshToken", name: "none" };
const identityCases = (rows: number): Case[] => [
  { name: "the key of a secret", answers: 1, ask: ({ accounts }) => accounts.apiKeys.findHolder(sha256(String(rows))) },
  { name: "an account", answers: 1, ask: ({ accounts }) => accounts.get(small.accountId) },
  { name: "the account of an address", answers: 1, ask: ({ accounts }) => accounts.findByEmail(`${rows}@example.com`) },
  { name: "a user", answers: 1, ask: ({ auth }) => auth.users.get(small.userId) },
  { name: "the user of an address", answers: 1, ask: ({ auth }) => auth.users.findByEmail(`${rows}@example.com`) },
  { name: "the session of a secret", answers: 1, ask: ({ auth }) => auth.sessions.find("3") },
  { name: "a user's sessions", answers: 5, ask: ({ auth }) => auth.sessions.listOfUser(small.userId) },
  { name: "sessions of a user who has none", answers: 0, ask: ({ auth }) => auth.sessions.listOfUser(none.userId) },
  {
    name: "sessions of a user who forgot a thousand",
    answers: 0,
    looksAt: 100,
    ask: ({ auth }) => auth.sessions.listOfUser(huge.userId),
  },
  { name: "a passkey", answers: 1, ask: ({ auth }) => auth.passkeys.find("passkey-3") },
  { name: "a user's passkeys", answers: 5, ask: ({ auth }) => auth.passkeys.listOfUser(small.userId) },
  { name: "a user's accounts", answers: 5, ask: ({ accounts }) => accounts.people.listOfUser(small.userId) },
  {
    name: "accounts that have no key",
    answers: 1,
    looksAt: 2,
    ask: ({ accounts }) => accounts.apiKeys.findAccountsWithout([huge.accountId, small.accountId, none.accountId]),
  },
  { name: "an invitation", answers: 0, ask: ({ accounts }) => accounts.people.findInvitation(idAt("per", rows)) },
  { name: "a user's applications", answers: 5, ask: ({ accounts }) => accounts.grants.listOfUser(small.userId) },
  {
    name: "applications of a user who left many",
    answers: 0,
    ask: ({ accounts }) => accounts.grants.listOfUser(huge.userId),
  },
  { name: "a grant", answers: 1, ask: ({ accounts }) => accounts.grants.findHolder("grant-11") },
  { name: "an application", answers: 1, ask: ({ accounts }) => accounts.oauthApplications.findClient(idAt("app", 11)) },
  {
    name: "an origin",
    answers: 1,
    ask: ({ accounts }) => accounts.oauthApplications.hasOrigin("https://app-11.example"),
  },
  {
    name: "an origin of nobody",
    answers: 0,
    ask: ({ accounts }) => accounts.oauthApplications.hasOrigin("https://none.example"),
  },
  {
    name: "an origin of many",
    answers: 1,
    ask: ({ accounts }) => accounts.oauthApplications.hasOrigin("http://localhost:3000"),
  },
  { name: "a mailed link", answers: 1, ask: ({ auth }) => auth.mailLinks.find(String(rows), "password_reset") },
  { name: "a provider's record", answers: 0, ask: ({ auth }) => auth.providerRecords.find(refreshToken) },
  {
    name: "a provider's record by another name",
    answers: 0,
    ask: ({ auth }) => auth.providerRecords.findByUid({ ...refreshToken, uid: "none" }),
  },
  { name: "a token to exchange", answers: 0, ask: ({ auth }) => auth.tokenExchanges.find(refreshToken) },
];

/** Each looks something up before it changes something, and is rolled back. */
const changeCases = (rows: number): Case[] => [
  {
    name: "the answer to an idempotency key",
    answers: null,
    looksAt: 0,
    ask: undone(({ accounts }) => accounts.idempotency.claim({ accountId: huge.accountId, key: "none" })),
  },
  {
    name: "the notices that somebody got in the last hour, and who else is to get one",
    answers: null,
    looksAt: 15,
    ask: undone((services) =>
      notifyOwners(services, small.accountId, {
        kind: "redirect_uri_added",
        clientAddress: null,
        by: "the test",
        applicationId: idAt("app", 1),
        hosts: [],
      }),
    ),
  },
  {
    name: "links that end when another is mailed",
    answers: null,
    looksAt: 1,
    ask: undone(({ auth }) => auth.mailLinks.revoke({ email: `${rows}@example.com`, purpose: "password_reset" })),
  },
  {
    name: "links that end when an account asks for another address",
    answers: null,
    looksAt: 1,
    ask: undone(({ auth }) =>
      auth.mailLinks.revoke({ email: `${rows}@example.com`, purpose: "account_email", accountId: idAt("acc", rows) }),
    ),
  },
  {
    name: "tokens that end with their grant",
    answers: null,
    looksAt: 1,
    ask: undone(({ auth }) => auth.providerRecords.removeOfGrant({ model: "RefreshToken", grantId: "grant-11" })),
  },
  {
    name: "grants that end with their user's place",
    answers: null,
    looksAt: 1,
    ask: undone(({ accounts }) => accounts.grants.revokeAll({ userId: idAt("usr", 11), accountId: idAt("acc", 11) })),
  },
  {
    name: "grants that end with their application",
    answers: null,
    looksAt: 1,
    ask: undone(({ accounts }) =>
      accounts.oauthApplications.delete({ id: idAt("app", 11), accountId: idAt("acc", 11) }),
    ),
  },
  {
    name: "the owners besides this one",
    answers: null,
    looksAt: 5,
    ask: undone(({ accounts }) =>
      accounts.people.changeRole({ id: idAt("per", 3), accountId: small.accountId, role: "viewer" }),
    ),
  },
  {
    name: "the admin keys besides this one",
    answers: null,
    looksAt: 3,
    ask: undone(({ accounts }) => accounts.apiKeys.revoke({ id: idAt("key", 3), accountId: small.accountId })),
  },
  {
    name: "how many people an account has",
    answers: null,
    looksAt: 5,
    ask: undone(({ accounts }) =>
      accounts.people.invite({ accountId: small.accountId, email: "a@b.c", role: "viewer" }),
    ),
  },
  {
    name: "how many applications an account has",
    answers: null,
    looksAt: liveRows,
    ask: undone(({ accounts }) =>
      accounts.oauthApplications.create({ accountId: huge.accountId, name: "A", redirectUris: [], scopes: [] }),
    ),
  },
  {
    name: "how many webhooks an account has",
    answers: null,
    looksAt: liveRows,
    ask: undone(({ events }) =>
      events.webhooks.create({ accountId: huge.accountId, url: "https://a.b", events: [], description: null }),
    ),
  },
  {
    name: "the webhooks that ask for an event",
    answers: null,
    looksAt: liveRows,
    ask: undone(({ events }) =>
      events.record({ accountId: huge.accountId, type: "kyc.verified", object: {} as never }),
    ),
  },
];

/** A connection reads the catalogue when it first writes to a table in partitions. */
export const firstAudit = undone(({ audit }) =>
  audit.record({ accountId: none.accountId, type: "account.created", resourceId: none.accountId }),
);

export function cursorAt(list: string, prefix: string, position: number | undefined): { cursor?: string } {
  return position === undefined ? {} : { cursor: cursors.encode(list, idAt(prefix, position)) };
}

/** Runs the work in a transaction that is rolled back. */
export function undone(work: (services: Services) => Promise<unknown>): (platform: Platform) => Promise<unknown> {
  return async (platform) => {
    const rollback = new Error("rolled back");
    const running = platform.transaction(async (services) => {
      await work(services);
      throw rollback;
    });
    await running.catch((error: unknown) => {
      if (error !== rollback) {
        throw error;
      }
    });
  };
}

/** Waits for the refusal that is expected. */
export async function refused(code: ProblemCode, work: Promise<unknown>): Promise<void> {
  const outcome = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(outcome instanceof Problem) || outcome.code !== code) {
    throw new Error(`It was not refused with ${code}.`, { cause: outcome });
  }
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
