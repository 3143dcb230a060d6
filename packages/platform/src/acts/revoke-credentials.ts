import type { Services } from "../compose/may-call.ts";

export type RevokedCredentials = { apiKeys: number; grants: number; sessions: number };

/**
 * For operators: ends API keys, the last admin key too, grants and their tokens, and the sessions of its people in all
 * their accounts. Passwords and passkeys stay. Must run in a transaction.
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
