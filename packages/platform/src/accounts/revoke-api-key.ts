import type { AccountsDeps } from "./accounts-deps.ts";
import { Problem } from "@gateway/contract";
import { sql, type Kysely } from "kysely";
import { apiKeyOf, selectApiKey, statusOf, type ApiKey } from "./api-key-row.ts";
import { hasOwner } from "./has-owner.ts";
import { lockAccount } from "./lock-account.ts";
import { presentApiKey } from "./present-api-key.ts";
import type { AccountsTables } from "./tables.ts";

export async function revokeApiKey(
  db: Kysely<AccountsTables>,
  deps: AccountsDeps,
  { evenLast = false, ...own }: { id: string; accountId: string; evenLast?: boolean },
): Promise<ApiKey | null> {
  const nowMs = deps.clock.now();
  if (!evenLast) {
    // Runs before the key is locked, because a transaction that holds the account may be about to end all of its keys.
    await refuseLastAdminKey(db, { ...own, now: new Date(nowMs) });
  }
  const row = await selectApiKey(db, own).forUpdate().executeTakeFirst();
  if (!row) {
    return null;
  }
  const old = apiKeyOf(row);
  const key = { ...old, revokedAt: old.revokedAt ?? new Date(nowMs) };
  await db.updateTable("api_keys").set({ revoked_at: key.revokedAt }).where("id", "=", old.id).execute();
  await deps.recordAudit(db, {
    accountId: own.accountId,
    type: "api_key.revoked",
    resourceId: old.id,
    before: presentApiKey(old, nowMs),
    after: presentApiKey(key, nowMs),
  });
  return key;
}

/** A key that ends anyway, because it was rolled, does not count as one that the account could keep using. */
async function refuseLastAdminKey(
  db: Kysely<AccountsTables>,
  { id, accountId, now }: { id: string; accountId: string; now: Date },
): Promise<void> {
  const row = await selectApiKey(db, { id, accountId }).executeTakeFirst();
  if (!row || row.permission !== "admin" || statusOf(row, now) !== "active") {
    return;
  }
  await lockAccount(db, accountId);
  // Reads the index `lasting_admin_keys` backwards, so keys that never expire come first. The index covers admin keys
  // only, so a plan with a parameter could not use it.
  const lasting = await db
    .selectFrom("api_keys")
    .select(["id", "expires_at", "revoked_at"])
    .where("account_id", "=", accountId)
    .where("permission", "=", sql.lit("admin" as const))
    .where("revoked_at", "is", null)
    .where("replaced_by", "is", null)
    .orderBy("account_id", "desc")
    .orderBy("expires_at", "desc")
    .limit(2)
    .execute();
  const isAnotherLasting = lasting.some((key) => key.id !== id && statusOf(key, now) === "active");
  if (!isAnotherLasting && !(await hasOwner(db, accountId))) {
    throw new Problem(
      "LAST_ADMIN_KEY",
      `The API key ${id} is the last admin key of an account without an owner: without it the account could not be managed. Create another admin key first, or roll this one.`,
    );
  }
}
