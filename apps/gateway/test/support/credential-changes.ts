import type { Account, ApiKeyWithSecret } from "@gateway/platform/accounts";
import { suspendAccount } from "@gateway/platform/acts/suspend-account";
import type { Answer, Ask } from "./http-client.ts";
import type { TestGateway } from "./test-gateway.ts";
import { bearer, createTestGrant, mintToken, type TestGrant, type TestIssuer } from "./test-issuer.ts";

type World = { writer: TestGateway; issuer: TestIssuer; account: Account };

/** A change that every process must receive, although the credential is in its cache. */
type CredentialChange = {
  name: string;
  /** A request with the credential, and the change. No process under test makes the change. */
  prepare(world: World): Promise<{ request: Ask; change(): Promise<unknown> }>;
  isSeen(answer: Answer): boolean;
};

const reading: Ask = { target: "/api/v1/account" };
const managing: Ask = { target: "/api/v1/api-keys" };
const isRefused = ({ status }: Answer): boolean => status === 401;
const isForbidden = ({ status }: Answer): boolean => status === 403;

function ofKey(
  name: string,
  change: (world: World, key: ApiKeyWithSecret) => Promise<unknown>,
  isSeen = isRefused,
): CredentialChange {
  const prepare: CredentialChange["prepare"] = async (world) => {
    const key = await world.writer.createKey(world.account, "read");
    return { request: { ...reading, headers: { "X-API-Key": key.secret } }, change: () => change(world, key) };
  };
  return { name, prepare, isSeen };
}

function ofToken(
  name: string,
  change: (writer: TestGateway, grant: TestGrant) => Promise<unknown>,
  isSeen = isRefused,
): CredentialChange {
  const prepare: CredentialChange["prepare"] = async ({ writer, issuer, account }) => {
    const grant = await createTestGrant(writer, account);
    // Another owner: the last one can neither leave nor step down.
    await createTestGrant(writer, account);
    const asked = isSeen === isForbidden ? managing : reading;
    const request = { ...asked, headers: bearer(await mintToken(issuer, grant)) };
    return { request, change: () => change(writer, grant) };
  };
  return { name, prepare, isSeen };
}

export const credentialChanges: readonly CredentialChange[] = [
  ofKey("a revoked key is refused", ({ writer, account }, { id }) =>
    writer.platform.transaction(({ accounts }) => accounts.apiKeys.revoke({ id, accountId: account.id })),
  ),
  ofKey("a key that was rolled without overlap is refused", ({ writer, account }, { id }) =>
    writer.platform.transaction(({ accounts }) =>
      accounts.apiKeys.roll({ id, accountId: account.id, overlapSeconds: 0 }),
    ),
  ),
  ofKey("a key that was deleted by hand in the database is refused", ({ writer }, { id }) =>
    writer.database.kysely.deleteFrom("api_keys").where("id", "=", id).execute(),
  ),
  ofKey(
    "a key of a suspended account is refused",
    ({ writer, account: { id } }) =>
      writer.platform.transaction((services) => suspendAccount(services, { id, reason: null })),
    isForbidden,
  ),
  ofKey(
    "another limit of an account is kept",
    ({ writer, account: { id } }) =>
      writer.platform.accounts.changeTier({ id, tier: "enterprise", requestsPerMinute: null }),
    ({ headers }) => headers["x-ratelimit-limit"] === "300",
  ),
  ofToken("a revoked grant is refused", ({ platform }, { grantId }) => platform.accounts.grants.revoke(grantId)),
  ofToken("a user whose grants are all revoked is refused", ({ platform }, { userId }) =>
    platform.accounts.grants.revokeAll({ userId }),
  ),
  ofToken("a person who left is refused", ({ platform }, { personId: id, accountId }) =>
    platform.transaction(({ accounts }) => accounts.people.remove({ id, accountId })),
  ),
  ofToken(
    "an owner who became a viewer manages no more",
    ({ platform }, { personId: id, accountId }) =>
      platform.transaction(({ accounts }) => accounts.people.changeRole({ id, accountId, role: "viewer" })),
    isForbidden,
  ),
  ofToken(
    "an application that may only read manages no more",
    ({ platform }, { applicationId: id, accountId }) =>
      platform.accounts.oauthApplications.update({ id, accountId, scopes: ["read"] }),
    isForbidden,
  ),
  ofToken("a deleted application is refused", ({ platform }, { applicationId: id, accountId }) =>
    platform.transaction(({ accounts }) => accounts.oauthApplications.delete({ id, accountId })),
  ),
  ofToken("a grant that was deleted by hand in the database is refused", ({ database }, { grantId }) =>
    database.kysely.deleteFrom("grants").where("id", "=", grantId).execute(),
  ),
];
