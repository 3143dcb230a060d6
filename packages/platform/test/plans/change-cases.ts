import { notifyOwners } from "../../src/acts/notify-owners.ts";
import { undone, type Case } from "./cases.ts";
import { idAt, liveRows, owners } from "./row-values.ts";

const { huge, small } = owners;

/** Each looks something up before it changes something, and is rolled back. */
export const changeCases = (rows: number): Case[] => [
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
