import { sql, type Kysely } from "kysely";
import type { NounDeps } from "../audit/index.ts";
import { revokeGrants } from "./grant.ts";
import { lockAccount } from "./lock-account.ts";
import type { AccountsTables } from "./tables.ts";

/** From the closing of an account until its texts and those of its people are erased. */
export const closedAccountLifeMs = 30 * 24 * 60 * 60_000;

export interface Closing {
  /** Ends all that opens the account, for good; its address is free at once. False when it was closed before. */
  close(accountId: string): Promise<boolean>;
  /** Erases the texts of one account whose time is over; null when there is none. Ids, times and counts are kept. */
  eraseOne(): Promise<{ accountId: string; userIds: string[] } | null>;
}

/** Where nobody is reached: RFC 2606, 2. Different for each, for an address is in the tables once. */
export function closedAddressOf(id: string): string {
  return `${id}@closed.invalid`;
}

/** Stands for what was erased. */
export const erased = "Erased";

export type ClosingDeps = Pick<NounDeps, "clock" | "recordAudit">;

export function createClosing(db: Kysely<AccountsTables>, deps: ClosingDeps): Closing {
  return {
    close: (accountId) => closeAccount(db, deps, accountId),
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
      await db
        .updateTable("closed_accounts")
        .set({ erased_at: new Date(now) })
        .where("account_id", "=", row.account_id)
        .execute();
      return { accountId: row.account_id, userIds: row.user_ids };
    },
  };
}

async function closeAccount(db: Kysely<AccountsTables>, deps: ClosingDeps, accountId: string): Promise<boolean> {
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
  await db
    .updateTable("api_keys")
    .set({ revoked_at: now })
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .execute();
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
  await db
    .updateTable("api_keys")
    .set({ name: erased, last_used_from: null })
    .where("account_id", "=", accountId)
    .execute();
  await db
    .updateTable("oauth_applications")
    .set({ name: erased, redirect_uris: [], redirect_origins: [], logo_uri: null, website_url: null })
    .where("account_id", "=", accountId)
    .execute();
}
