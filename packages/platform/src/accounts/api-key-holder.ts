import type { Kysely } from "kysely";
import type { AccountsTables } from "./tables.ts";

/** The facts about a key that the gateway needs to let a request in. Expiry is judged at each request, not here. */
export type ApiKeyHolder = NonNullable<Awaited<ReturnType<typeof findApiKeyHolder>>>;

/** Null when no key has this secret, or the account is closed. */
export async function findApiKeyHolder(db: Kysely<AccountsTables>, secretHash: Buffer) {
  const row = await db
    .selectFrom("api_keys")
    .innerJoin("accounts", "accounts.id", "api_keys.account_id")
    .select([
      "api_keys.id",
      "api_keys.account_id",
      "api_keys.permission",
      "api_keys.expires_at",
      "api_keys.revoked_at",
      "accounts.suspended_at",
      "accounts.tier",
      "accounts.requests_per_minute",
    ])
    .where("api_keys.secret_hash", "=", secretHash)
    // Excludes a key whose creation was in flight when the account was closed.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("closed_accounts")
            .select("closed_accounts.account_id")
            .whereRef("closed_accounts.account_id", "=", "api_keys.account_id"),
        ),
      ),
    )
    .executeTakeFirst();
  return row
    ? {
        apiKeyId: row.id,
        accountId: row.account_id,
        permission: row.permission,
        // An operator suspended the whole account, so every request is refused.
        isSuspended: row.suspended_at !== null,
        tier: row.tier,
        requestsPerMinute: row.requests_per_minute,
        expiresAtMs: row.expires_at?.getTime() ?? null,
        revokedAtMs: row.revoked_at?.getTime() ?? null,
      }
    : null;
}
