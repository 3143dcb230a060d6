import type { AccountsDeps } from "./accounts-deps.ts";
import { invalidField } from "@gateway/contract";
import type { Permission } from "@gateway/contract/permissions";
import { futureTimeIssue, isFutureTime } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import { apiKeyOf, type ApiKeyWithSecret } from "./api-key-row.ts";
import { createApiKeySecret, hashApiKeySecret, hintOfApiKeySecret } from "./api-key-secret.ts";
import { lockAccount } from "./lock-account.ts";
import { presentApiKey } from "./present-api-key.ts";
import type { AccountsTables } from "./tables.ts";

export type NewApiKey = { accountId: string; name: string; permission: Permission; expiresAt: Date | null };

/** Later years have five digits, which RFC 3339 does not allow. */
export const latestExpiryMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Inserts a key and records its audit event. */
export async function issueApiKey(
  db: Kysely<AccountsTables>,
  deps: AccountsDeps,
  input: NewApiKey,
): Promise<ApiKeyWithSecret> {
  const key = await insertApiKey(db, deps, input);
  const after = presentApiKey(key, deps.clock.now());
  await deps.recordAudit(db, { accountId: input.accountId, type: "api_key.created", resourceId: key.id, after });
  return key;
}

/** Records no audit event, because the change that it belongs to has its own. */
export async function insertApiKey(
  db: Kysely<AccountsTables>,
  deps: AccountsDeps,
  input: NewApiKey,
): Promise<ApiKeyWithSecret> {
  const nowMs = deps.clock.now();
  if (input.expiresAt && !isFutureTime(input.expiresAt, nowMs)) {
    throw invalidField("expiresAt", futureTimeIssue);
  }
  const secret = createApiKeySecret(deps.livemode);
  const row = await db
    .insertInto("api_keys")
    .values({
      id: deps.createId("key"),
      account_id: input.accountId,
      name: input.name,
      permission: input.permission,
      secret_hash: hashApiKeySecret(secret),
      hint: hintOfApiKeySecret(secret),
      created_at: new Date(nowMs),
      expires_at: input.expiresAt,
      revoked_at: null,
      replaced_by: null,
      last_used_at: null,
      created_by: JSON.stringify(deps.origin.actor),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...apiKeyOf(row), secret };
}

/** Locks the account, so that of two concurrent calls only one creates the key. */
export async function createFirstApiKey(
  db: Kysely<AccountsTables>,
  deps: AccountsDeps,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<ApiKeyWithSecret | null> {
  await lockAccount(db, accountId);
  const owner = await db
    .selectFrom("people")
    .select("id")
    .where("account_id", "=", accountId)
    .where("user_id", "=", userId)
    .where("role", "=", "owner")
    .executeTakeFirst();
  const isFirst = (await findAccountsWithout(db, [accountId])).length > 0;
  return owner && isFirst
    ? issueApiKey(db, deps, { accountId, name: "First key", permission: "admin", expiresAt: null })
    : null;
}

export async function findAccountsWithout(
  db: Kysely<AccountsTables>,
  accountIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${[...accountIds]}::text[]) as asked (id) cross join lateral (
      select count(*) as count from (select from api_keys where account_id between asked.id and asked.id limit 1) one
    ) keys
    where count = 0
  `.execute(db);
  return rows.map(({ id }) => id);
}
