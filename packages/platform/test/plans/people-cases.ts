import { createHash } from "node:crypto";
import { read, type Case } from "./cases.ts";
import { idAt, owners } from "./row-values.ts";

const { huge, small, none } = owners;

const refreshToken = { model: "RefreshToken", name: "none" };

/** Look-ups of accounts and auth, for callers and for people who sign in. */
export const peopleCases = (rows: number): Case[] => [
  read("the key of a secret", 1, ({ accounts }) => accounts.apiKeys.findHolder(sha256(String(rows)))),
  read("an account", 1, ({ accounts }) => accounts.get(small.accountId)),
  read("the account of an address", 1, ({ accounts }) => accounts.findByEmail(`${rows}@example.com`)),
  read("a user", 1, ({ auth }) => auth.users.get(small.userId)),
  read("the user of an address", 1, ({ auth }) => auth.users.findByEmail(`${rows}@example.com`)),
  read("the session of a secret", 1, ({ auth }) => auth.sessions.find("3")),
  read("a user's sessions", 5, ({ auth }) => auth.sessions.listOfUser(small.userId)),
  read("sessions of a user who has none", 0, ({ auth }) => auth.sessions.listOfUser(none.userId)),
  read("sessions of a user who forgot a thousand", 0, ({ auth }) => auth.sessions.listOfUser(huge.userId), 100),
  read("a passkey", 1, ({ auth }) => auth.passkeys.find("passkey-3")),
  read("a user's passkeys", 5, ({ auth }) => auth.passkeys.listOfUser(small.userId)),
  read("a user's accounts", 5, ({ accounts }) => accounts.people.listOfUser(small.userId)),
  read(
    "accounts that have no key",
    1,
    ({ accounts }) => accounts.apiKeys.findAccountsWithout([huge.accountId, small.accountId, none.accountId]),
    2,
  ),
  read("an invitation", 0, ({ accounts }) => accounts.people.findInvitation(idAt("per", rows))),
  read("a user's applications", 5, ({ accounts }) => accounts.grants.listOfUser(small.userId)),
  read("applications of a user who left many", 0, ({ accounts }) => accounts.grants.listOfUser(huge.userId)),
  read("a grant", 1, ({ accounts }) => accounts.grants.findHolder("grant-11")),
  read("an application", 1, ({ accounts }) => accounts.oauthApplications.findClient(idAt("app", 11))),
  read("an origin", 1, ({ accounts }) => accounts.oauthApplications.hasOrigin("https://app-11.example")),
  read("an origin of nobody", 0, ({ accounts }) => accounts.oauthApplications.hasOrigin("https://none.example")),
  read("an origin of many", 1, ({ accounts }) => accounts.oauthApplications.hasOrigin("http://localhost:3000")),
  read("a mailed link", 1, ({ auth }) => auth.mailLinks.find(String(rows), "password_reset")),
  read("a provider's record", 0, ({ auth }) => auth.providerRecords.find(refreshToken)),
  read("a provider's record by another name", 0, ({ auth }) =>
    auth.providerRecords.findByUid({ ...refreshToken, uid: "none" }),
  ),
  read("a token to exchange", 0, ({ auth }) => auth.tokenExchanges.find(refreshToken)),
];

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
