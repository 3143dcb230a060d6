import type { Own } from "@gateway/engine/find-own";
import { sql, type Kysely } from "kysely";
import { lockAccount } from "./lock-account.ts";
import { presentPerson } from "./present-person.ts";
import type { AccountsDeps } from "./accounts-deps.ts";
import { findPerson, type Person } from "./person-view.ts";
import type { AccountsTables } from "./tables.ts";

export type Invitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>;

/** Null when it was taken or the person was removed. */
export async function findInvitation(db: Kysely<AccountsTables>, personId: string) {
  const invitation = await db
    .selectFrom("people")
    .innerJoin("accounts", "accounts.id", "people.account_id")
    .select([
      "people.id as personId",
      "people.account_id as accountId",
      sql<string>`coalesce(accounts.name, accounts.email)`.as("accountName"),
      "accounts.email as accountEmail",
      "people.email",
      "people.role",
    ])
    .where("people.id", "=", personId)
    .where("people.user_id", "is", null)
    .executeTakeFirst();
  return invitation ?? null;
}

/** Holds the account, so that of two who take the invitation one finds it taken. */
export async function joinAccount(
  db: Kysely<AccountsTables>,
  deps: AccountsDeps,
  { personId, userId }: { personId: string; userId: string },
): Promise<Person | null> {
  const invitation = await findInvitation(db, personId);
  if (!invitation) {
    return null;
  }
  const { accountId } = invitation;
  await lockAccount(db, accountId);
  const now = new Date(deps.clock.now());
  const { numUpdatedRows } = await db
    .updateTable("people")
    .set({ user_id: userId, joined_at: now, owner_since: now })
    .where("id", "=", personId)
    .where("user_id", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("people as others")
            .select("others.id")
            .where("others.account_id", "=", accountId)
            .where("others.user_id", "=", userId),
        ),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n ? recordJoined(db, deps, { id: personId, accountId }) : null;
}

/** Holds the account: of two who would be the first, one is not. */
export async function createOwner(
  db: Kysely<AccountsTables>,
  deps: AccountsDeps,
  { accountId, userId, email }: { accountId: string; userId: string; email: string },
): Promise<Person | null> {
  await lockAccount(db, accountId);
  const joined = await db
    .selectFrom("people")
    .select("id")
    .where("account_id", "=", accountId)
    .where("user_id", "is not", null)
    .limit(1)
    .executeTakeFirst();
  if (joined) {
    return null;
  }
  const now = new Date(deps.clock.now());
  const taking = { user_id: userId, role: "owner", joined_at: now, owner_since: now } as const;
  const { id } = await db
    .insertInto("people")
    .values({ id: deps.createId("per"), account_id: accountId, email, invited_at: now, ...taking })
    .onConflict((conflict) => conflict.columns(["account_id", "email_key"]).doUpdateSet(taking))
    .returning("id")
    .executeTakeFirstOrThrow();
  return recordJoined(db, deps, { id, accountId });
}

async function recordJoined(
  db: Kysely<AccountsTables>,
  { findUserNames, recordAudit }: AccountsDeps,
  { id, accountId }: Own,
): Promise<Person | null> {
  const person = await findPerson(db, findUserNames, { id, accountId });
  if (person) {
    const actor = { type: "person", id, applicationId: null } as const;
    const after = presentPerson(person);
    await recordAudit(db, { accountId, type: "person.joined", resourceId: id, actor, after });
  }
  return person;
}
