import { createHash } from "node:crypto";
import type { Case } from "./cases.ts";
import { idAt, owners } from "./row-values.ts";

const { huge, small, none } = owners;

const refreshToken = { model: "RefreshToken", name: "none" };

/** Who calls, and who signs in: what accounts and auth look up. */
export const peopleCases = (rows: number): Case[] => [
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

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
