import type { AccountsDeps } from "./accounts-deps.ts";
import { transaction } from "@gateway/database";
import type { Clock } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import { isExactly, walkIndex } from "@gateway/engine/page";
import type { Permission } from "@gateway/contract/permissions";
import { actorIn } from "./place.ts";
import type { AccountsTables } from "./tables.ts";

/** The facts about an access token's grant that the gateway needs to let a request in. */
export type GrantHolder = NonNullable<Awaited<ReturnType<typeof findHolder>>>;

const mostListed = 100;

export type ConnectedApplication = Awaited<ReturnType<typeof listOfUser>>[number];

/** The living grants, with their application's scopes, for a statement of the identity provider. */
export const livingGrants = `
  select grants.id, grants.account_id, grants.user_id, oauth_applications.scopes
  from grants
  join oauth_applications on oauth_applications.id = grants.application_id and oauth_applications.deleted_at is null
  join accounts on accounts.id = grants.account_id and accounts.suspended_at is null
  join people on people.account_id = grants.account_id and people.user_id = grants.user_id
  where grants.revoked_at is null`;

export type RevokedGrants = { userId: string } | { applicationId: string } | { userId: string; accountId: string };

export type Grants = ReturnType<typeof createGrants>;

type CreateInput = {
  id: string;
  userId: string;
  accountId: string;
  applicationId: string;
  permission: Permission | null;
  sessionId?: string | null;
};

export function createGrants(db: Kysely<AccountsTables>, deps: AccountsDeps) {
  return {
    /** The provider sets `id`. Another consent can raise the permission, but never lowers it. Ends with its session. */
    create: (grant: CreateInput) => transaction(db, (trx) => createGrant(trx, deps, grant)),
    /**
     * Locks the consents of one user and application until the transaction ends, so that only one adds to the grant.
     */
    lockConsents: async ({ userId, applicationId }: { userId: string; applicationId: string }) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`consents ${userId} ${applicationId}`}, 0))`.execute(
        db,
      );
    },
    moveToSession: async ({ userId, from, to }: { userId: string; from: string; to: string }) => {
      await db
        .updateTable("grants")
        .set({ session_id: to })
        .where(isExactly("user_id", userId))
        .where("session_id", "=", from)
        .where("revoked_at", "is", null)
        .execute();
    },
    /** Null when the grant was revoked or never existed, its person left, or its application was deleted. */
    findHolder: (grantId: string) => findHolder(db, grantId),
    /**
     * The session that the grant ends with, whether or not it is still valid; null when the grant lasts until revoked.
     */
    findSession: async (grantId: string) => {
      const row = await db
        .selectFrom("grants")
        .select(["user_id", "session_id"])
        .where("id", "=", grantId)
        .executeTakeFirst();
      return row && row.session_id !== null ? { userId: row.user_id, sessionId: row.session_id } : null;
    },
    /** The newest hundred grants that last until they are revoked. Others end with their session. */
    listOfUser: (userId: string) => listOfUser(db, userId),
    /** Revokes permanently. Revoking twice keeps the first time. */
    revoke: (grantId: string) =>
      transaction(db, async (trx) => {
        const revoked = await revoking(trx, deps).where("id", "=", grantId).returning(auditedColumns).execute();
        await recordRevoked(trx, deps, { revoked, isByUser: false });
      }),
    revokeOfUser: ({ grantId, userId }: { grantId: string; userId: string }) =>
      transaction(db, async (trx) => {
        const revoked = await revoking(trx, deps)
          .where("id", "=", grantId)
          .where("user_id", "=", userId)
          .returning(auditedColumns)
          .execute();
        await recordRevoked(trx, deps, { revoked, isByUser: true });
        return revoked.length > 0;
      }),
    /** Returns how many were revoked. The end of an application or of a person has its own audit event. */
    revokeAll: (of: RevokedGrants) =>
      transaction(db, async (trx) => {
        const revoked = await revokeGrants(trx, deps, of);
        if ("userId" in of && !("accountId" in of)) {
          await recordRevoked(trx, deps, { revoked, isByUser: true });
        }
        return revoked.length;
      }),
  };
}

const auditedColumns = ["user_id", "account_id", "application_id", "session_id"] as const;
type RevokedRow = { user_id: string; account_id: string; application_id: string; session_id: string | null };

function revoking(db: Kysely<AccountsTables>, { clock }: { clock: Clock }) {
  return db
    .updateTable("grants")
    .set({ revoked_at: new Date(clock.now()) })
    .where("revoked_at", "is", null);
}

export function revokeGrants(
  db: Kysely<AccountsTables>,
  deps: { clock: Clock },
  of: RevokedGrants,
): Promise<RevokedRow[]> {
  let query = revoking(db, deps);
  if ("userId" in of) {
    query = query.where(isExactly("user_id", of.userId));
  }
  if ("accountId" in of) {
    query = query.where("account_id", "=", of.accountId);
  }
  if ("applicationId" in of) {
    query = query.where(isExactly("application_id", of.applicationId));
  }
  return query.returning(auditedColumns).execute();
}

/**
 * Recorded for the application, because the ids of grants are never shown. Grants that end with a session are left out.
 */
async function recordRevoked(
  db: Kysely<AccountsTables>,
  { recordAudit }: Pick<AccountsDeps, "recordAudit">,
  { revoked, isByUser }: { revoked: readonly RevokedRow[]; isByUser: boolean },
): Promise<void> {
  const lasting = revoked.filter(({ session_id: sessionId }) => sessionId === null);
  for (const { user_id: userId, account_id: accountId, application_id: resourceId } of lasting) {
    const person = await actorIn(db, { userId, accountId });
    const actor = isByUser ? person : { ...person, applicationId: resourceId };
    await recordAudit(db, { accountId, type: "grant.revoked", resourceId, actor });
  }
}

async function createGrant(
  db: Kysely<AccountsTables>,
  { clock, recordAudit }: AccountsDeps,
  { id, userId, accountId, applicationId, permission, sessionId = null }: CreateInput,
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("grants")
    .values({
      id,
      user_id: userId,
      account_id: accountId,
      application_id: applicationId,
      permission: permission ?? "none",
      session_id: sessionId,
      created_at: new Date(clock.now()),
    })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet({ permission: (row) => row.ref("excluded.permission") })
        .where(sql<boolean>`${rankOf("grants.permission")} < ${rankOf("excluded.permission")}`),
    )
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 1n && sessionId === null) {
    const actor = await actorIn(db, { userId, accountId });
    const after = { permission: permission ?? "none" };
    await recordAudit(db, { accountId, type: "grant.created", resourceId: applicationId, actor, after });
  }
}

function rankOf(column: string) {
  return sql`array_position(array['none', 'read', 'write', 'admin'], ${sql.ref(column)})`;
}

async function findHolder(db: Kysely<AccountsTables>, grantId: string) {
  const row = await db
    .selectFrom("grants")
    .innerJoin("accounts", "accounts.id", "grants.account_id")
    .innerJoin("oauth_applications", "oauth_applications.id", "grants.application_id")
    .innerJoin("people", (join) =>
      join.onRef("people.account_id", "=", "grants.account_id").onRef("people.user_id", "=", "grants.user_id"),
    )
    .select([
      "grants.account_id",
      "grants.user_id",
      "grants.application_id",
      "grants.permission",
      "people.id as person_id",
      "people.role",
      "oauth_applications.scopes",
      "oauth_applications.redirect_origins",
      "accounts.suspended_at",
      "accounts.tier",
      "accounts.requests_per_minute",
    ])
    .where("grants.id", "=", grantId)
    .where("grants.revoked_at", "is", null)
    .where("oauth_applications.deleted_at", "is", null)
    .executeTakeFirst();
  return row
    ? {
        grantId,
        accountId: row.account_id,
        userId: row.user_id,
        personId: row.person_id,
        applicationId: row.application_id,
        role: row.role,
        // The permission that the user consented to. Null: the application learns who they are, and no more.
        permission: row.permission === "none" ? null : row.permission,
        applicationScopes: row.scopes,
        // The origins of the application's pages.
        applicationOrigins: row.redirect_origins,
        // An operator suspended the whole account, so every request is refused.
        isSuspended: row.suspended_at !== null,
        tier: row.tier,
        requestsPerMinute: row.requests_per_minute,
      }
    : null;
}

type ConnectedRow = { id: string; account_id: string; application_id: string; created_at: Date; name: string };

/** Looks the applications up one by one, because the planner may read all grants or all applications for a join. */
async function listOfUser(db: Kysely<AccountsTables>, userId: string) {
  const lasting = db.selectFrom("grants").selectAll().where("revoked_at", "is", null).where("session_id", "is", null);
  const own = walkIndex(lasting, { of: { user_id: userId }, most: mostListed });
  const { rows } = await sql<ConnectedRow>`
    select own.*, application.name
    from ${own} as own cross join lateral (
      select name from oauth_applications where id = own.application_id and deleted_at is null limit 1
    ) application
    order by own.created_at desc, own.id
  `.execute(db);
  return rows.map((row) => ({
    grantId: row.id,
    applicationId: row.application_id,
    applicationName: row.name,
    accountId: row.account_id,
    createdAt: row.created_at,
  }));
}
