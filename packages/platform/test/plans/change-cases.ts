import { notifyOwners } from "../../src/acts/notify-owners.ts";
import { change, type Case } from "./cases.ts";
import { idAt, liveRows, owners } from "./row-values.ts";

const { huge, small } = owners;

/** Each case looks something up before it changes something, and is rolled back. */
export const changeCases = (rows: number): Case[] => [
  change("the answer to an idempotency key", 0, ({ accounts }) =>
    accounts.idempotency.claim({ accountId: huge.accountId, key: "none" }),
  ),
  change("the notices that somebody got in the last hour, and who else is to get one", 15, (services) =>
    notifyOwners(services, small.accountId, {
      kind: "redirect_uri_added",
      clientAddress: null,
      by: "the test",
      applicationId: idAt("app", 1),
      hosts: [],
    }),
  ),
  change("links that end when another is mailed", 1, ({ auth }) =>
    auth.mailLinks.revoke({ email: `${rows}@example.com`, purpose: "password_reset" }),
  ),
  change("links that end when an account asks for another address", 1, ({ auth }) =>
    auth.mailLinks.revoke({ email: `${rows}@example.com`, purpose: "account_email", accountId: idAt("acc", rows) }),
  ),
  change("tokens that end with their grant", 1, ({ auth }) =>
    auth.providerRecords.removeOfGrant({ model: "RefreshToken", grantId: "grant-11" }),
  ),
  change("grants that end with their user's place", 1, ({ accounts }) =>
    accounts.grants.revokeAll({ userId: idAt("usr", 11), accountId: idAt("acc", 11) }),
  ),
  change("grants that end with their application", 1, ({ accounts }) =>
    accounts.oauthApplications.delete({ id: idAt("app", 11), accountId: idAt("acc", 11) }),
  ),
  change("the owners besides this one", 5, ({ accounts }) =>
    accounts.people.changeRole({ id: idAt("per", 3), accountId: small.accountId, role: "viewer" }),
  ),
  change("the admin keys besides this one", 3, ({ accounts }) =>
    accounts.apiKeys.revoke({ id: idAt("key", 3), accountId: small.accountId }),
  ),
  change("how many people an account has", 5, ({ accounts }) =>
    accounts.people.invite({ accountId: small.accountId, email: "a@b.c", role: "viewer" }),
  ),
  change("how many applications an account has", liveRows, ({ accounts }) =>
    accounts.oauthApplications.create({ accountId: huge.accountId, name: "A", redirectUris: [], scopes: [] }),
  ),
  change("how many webhooks an account has", liveRows, ({ events }) =>
    events.webhooks.create({ accountId: huge.accountId, url: "https://a.b", events: [], description: null }),
  ),
  change("the webhooks that ask for an event", liveRows, ({ events }) =>
    events.record({ accountId: huge.accountId, type: "kyc.verified", object: {} as never }),
  ),
];
