import type { AccountsDeps } from "./accounts-deps.ts";
import { changeAll } from "@gateway/engine/find-own";
import { sql, type Kysely } from "kysely";
import { revokeGrants } from "./grant.ts";
import { lockAccount } from "./lock-account.ts";
import type { AccountsTables } from "./tables.ts";

/** Time from the closing of an account until its texts and those of its people are erased. */
export const closedAccountLifeMs = 30 * 24 * 60 * 60_000;

/** An address without a mailbox (RFC 2606, 2). It differs for each id, because addresses are unique in their tables. */
export function closedAddressOf(id: string): string {
  return `${id}@closed.invalid`;
}

/** Replaces each erased text. */
export const erased = "Erased";

export function createClosing(db: Kysely<AccountsTables>, deps: AccountsDeps) {
  return {
    /**
     * Ends everything that opens the account, permanently. Its address is free at once. False when it was already
     * closed.
     */
    close: (accountId: string) => closeAccount(db, deps, accountId),
    /**
     * Erases the texts of one account whose 30 days have passed; null when there is none. Ids, times and counts are
     * kept.
     */
    eraseOne: async () => {
      const now = deps.clock.now();
      const row = await db
        .selectFrom("closed_accounts")
        .select(["account_id", "user_ids"])
        .where("erased_at", "is", null)
        .where("closed_at", "<=", new Date(now - closedAccountLifeMs))
        .limit(1)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      if (!row) {
        return null;
      }
      await eraseTexts(db, row.account_id);
      await changeAll(db.updateTable("closed_accounts").set({ erased_at: new Date(now) }), row.account_id);
      return { accountId: row.account_id, userIds: row.user_ids };
    },
  };
}

async function closeAccount(db: Kysely<AccountsTables>, deps: AccountsDeps, accountId: string): Promise<boolean> {
  await lockAccount(db, accountId);
  const now = new Date(deps.clock.now());
  const people = await db.deleteFrom("people").where("account_id", "=", accountId).returning("user_id").execute();
  const userIds = people.flatMap(({ user_id: userId }) => userId ?? []);
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("closed_accounts")
    .values({ account_id: accountId, user_ids: userIds, closed_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) {
    return false;
  }
  await changeAll(db.updateTable("api_keys").set({ revoked_at: now }).where("revoked_at", "is", null), accountId);
  const applications = await db
    .updateTable("oauth_applications")
    .set({ deleted_at: now })
    .where("account_id", "=", accountId)
    .where("deleted_at", "is", null)
    .returning("id")
    .execute();
  for (const { id: applicationId } of applications) {
    await revokeGrants(db, deps, { applicationId });
  }
  for (const userId of userIds) {
    await revokeGrants(db, deps, { userId, accountId });
  }
  await db
    .updateTable("accounts")
    .set({
      name: sql`coalesce(name, email)`,
      email: closedAddressOf(accountId),
      pending_email: null,
      pending_email_expires_at: null,
    })
    .where("id", "=", accountId)
    .execute();
  await deps.recordAudit(db, { accountId, type: "account.closed", resourceId: accountId });
  return true;
}

async function eraseTexts(db: Kysely<AccountsTables>, accountId: string): Promise<void> {
  await db.updateTable("accounts").set({ name: erased }).where("id", "=", accountId).execute();
  await changeAll(db.updateTable("api_keys").set({ name: erased, last_used_from: null }), accountId);
  await changeAll(
    db
      .updateTable("oauth_applications")
      .set({ name: erased, redirect_uris: [], redirect_origins: [], logo_uri: null, website_url: null }),
    accountId,
  );
}
