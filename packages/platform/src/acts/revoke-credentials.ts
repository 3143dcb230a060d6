import type { Services } from "../compose/may-call.ts";

export type RevokedCredentials = { apiKeys: number; grants: number; sessions: number };

/**
 * For operators: all that opens the account ends for ever. Its API keys, the last admin key too; what its people
 * allowed applications in it, and with the grants their tokens, for a refresh token is worth what its grant is; and the
 * sessions of its people, in all their accounts, since a session is a person's. Passwords and passkeys stay. Must run
 * in a transaction.
 */
export async function revokeCredentials(
  { accounts, audit, auth }: Pick<Services, "accounts" | "audit" | "auth">,
  { accountId }: { accountId: string },
): Promise<RevokedCredentials> {
  const revoked = { apiKeys: await accounts.apiKeys.revokeAll({ accountId }), grants: 0, sessions: 0 };
  for (const userId of await accounts.people.listUserIds({ accountId })) {
    revoked.grants += await accounts.grants.revokeAll({ userId, accountId });
    revoked.sessions += await auth.sessions.endAll({ userId, exceptId: null });
  }
  await audit.record({ accountId, type: "account.credentials_revoked", resourceId: accountId, after: revoked });
  return revoked;
}
