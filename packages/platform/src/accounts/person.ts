import type { AccountsDeps } from "./accounts-deps.ts";
import { Problem } from "@gateway/contract";
import { transaction } from "@gateway/database";
import type { Own } from "@gateway/engine/find-own";
import { sql, type Kysely } from "kysely";
import { readPage, walkIndex, type Page, type PageRequest } from "@gateway/engine/page";
import { revokeGrants } from "./grant.ts";
import { createOwner, findInvitation, joinAccount } from "./invitation.ts";
import { hasOwner } from "./has-owner.ts";
import { recordUses, type LastUse } from "./last-use.ts";
import { lockAccount } from "./lock-account.ts";
import { moveAddress } from "./move-address.ts";
import {
  findPerson,
  peopleOf,
  personColumns,
  personOf,
  selectPeople,
  type Person,
  type PersonRow,
} from "./person-view.ts";
import { presentPerson } from "./present-person.ts";
import type { Role } from "@gateway/contract/permissions";
import type { AccountsTables } from "./tables.ts";

export const maxPeopleOfAccount = 200;

const mostListed = 100;

export type Membership = {
  accountId: string;
  personId: string;
  role: Role;
  accountName: string;
  accountEmail: string;
  /** Suspended by an operator, so every request is refused. */
  isSuspended: boolean;
  /** The user is an owner, and the account requires a second factor of its owners. */
  needsSecondFactor: boolean;
};

export type People = ReturnType<typeof createPeople>;

type InviteInput = { accountId: string; email: string; role: Role };

type ListInput = { accountId: string } & PageRequest;

export function createPeople(db: Kysely<AccountsTables>, deps: AccountsDeps) {
  return {
    /** Refuses an address that a person of the account has, and one person too many. Must run in a transaction. */
    invite: (input: InviteInput) => transaction(db, (trx) => invite(trx, deps, input)),
    get: (own: Own) => findPerson(db, deps.findUserNames, own),
    /** Locks the account, so that no other change of its people runs until the transaction ends. */
    hold: (own: Own) => hold(db, deps, own),
    list: (input: ListInput) => listPeople(db, deps, input),
    /** Refuses to leave the account without an owner who has joined. Must run in a transaction. */
    changeRole: (input: Own & { role: Role }) => transaction(db, (trx) => changeRole(trx, deps, input)),
    /** Revokes the user's grants for this account and ends an invitation's links. Refuses the last owner. */
    remove: (input: Own) => transaction(db, (trx) => remove(trx, deps, input)),
    /**
     * Changes the user's address in their places and in the accounts they own, unless it already belongs to another.
     */
    moveAddress: (change: { userId: string; from: string; to: string }) =>
      transaction(db, (trx) => moveAddress(trx, deps, change)),
    recordUse: (uses: readonly LastUse[]) => recordUses(db, "people", uses),
    /** The newest hundred. */
    listOfUser: (userId: string) => listOfUser(db, userId),
    /** Users who have joined: all, or those with a role. */
    listUserIds: async ({ accountId, role }: { accountId: string; role?: Role }) => {
      const rows = await listRows(db, accountId);
      return rows
        .filter((row) => role === undefined || row.role === role)
        .flatMap(({ user_id: userId }) => userId ?? []);
    },
    /**
     * Owners who have joined, the start of their unbroken ownership in real time, and their ids from earlier
     * memberships.
     */
    listOwners: (accountId: string) => listOwners(db, accountId),
    findInvitation: (personId: string) => findInvitation(db, personId),
    /**
     * Null when the invitation was accepted or removed, or the user is in the account. The caller knows whose it is.
     */
    join: (input: { personId: string; userId: string }) => transaction(db, (trx) => joinAccount(trx, deps, input)),
    /** Accepts an invitation of the same address, if there is one. Null when a person has already joined. */
    createOwner: (input: { accountId: string; userId: string; email: string }) =>
      transaction(db, (trx) => createOwner(trx, deps, input)),
  };
}

function listRows(db: Kysely<AccountsTables>, accountId: string) {
  return walkIndex(db.selectFrom("people").selectAll(), {
    of: { account_id: accountId },
    most: maxPeopleOfAccount,
  }).execute();
}

async function listOwners(
  db: Kysely<AccountsTables>,
  accountId: string,
): Promise<{ personId: string; sinceMs: number; formerIds: string[] }[]> {
  const owners = (await listRows(db, accountId)).flatMap((row) => {
    const since = personOf(row, null).ownerSince;
    return since && row.user_id !== null ? [{ personId: row.id, userId: row.user_id, sinceMs: since.getTime() }] : [];
  });
  const userIds = owners.map(({ userId }) => userId);
  const former = await db
    .selectFrom("former_people")
    .select(["id", "user_id"])
    .where("account_id", "=", accountId)
    .where(sql<boolean>`user_id = any(${userIds})`)
    .execute();
  return owners.map(({ userId, ...owner }) => ({
    ...owner,
    formerIds: former.filter((one) => one.user_id === userId).map(({ id }) => id),
  }));
}

async function listPeople(
  db: Kysely<AccountsTables>,
  { cursors, findUserNames }: AccountsDeps,
  { accountId, ...page }: ListInput,
): Promise<Page<Person>> {
  const { items, nextCursor } = await readPage(db, selectPeople(db), {
    ...page,
    of: { account_id: accountId },
    cursors,
    list: `people ${accountId}`,
    toItem: (row: PersonRow) => row,
  });
  return { items: await peopleOf(items, findUserNames), nextCursor };
}

async function invite(
  db: Kysely<AccountsTables>,
  deps: AccountsDeps,
  { accountId, email, role }: InviteInput,
): Promise<Person> {
  await lockAccount(db, accountId);
  await refuseOverLimit(db, accountId);
  const row = await db
    .insertInto("people")
    .values({
      id: deps.createId("per"),
      account_id: accountId,
      email,
      role,
      invited_at: new Date(deps.clock.now()),
      created_by: JSON.stringify(deps.origin.actor),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(personColumns)
    .executeTakeFirst();
  if (!row) {
    throw new Problem(
      "PERSON_EXISTS",
      `A person with the e-mail address ${email} is in this account already, or invited. To send the invitation again, remove them first.`,
    );
  }
  const person = personOf(row, null);
  const after = presentPerson(person);
  await deps.recordAudit(db, { accountId, type: "person.invited", resourceId: person.id, after });
  return person;
}

async function refuseOverLimit(db: Kysely<AccountsTables>, accountId: string): Promise<void> {
  const own = walkIndex(db.selectFrom("people").select("id"), {
    of: { account_id: accountId },
    most: maxPeopleOfAccount,
  });
  if ((await own.execute()).length === maxPeopleOfAccount) {
    throw new Problem(
      "PERSON_LIMIT_REACHED",
      `The account has ${maxPeopleOfAccount} people including invitations, which is the maximum. Remove one first.`,
    );
  }
}

async function changeRole(
  db: Kysely<AccountsTables>,
  deps: AccountsDeps,
  { role, ...own }: Own & { role: Role },
): Promise<Person | null> {
  const person = await hold(db, deps, own);
  if (!person) {
    return null;
  }
  if (role !== "owner") {
    await refuseLastOwner(db, { ...own, person });
  }
  const ownerSince = role === "owner" ? (person.ownerSince ?? new Date(deps.clock.now())) : null;
  const row = await db
    .updateTable("people")
    .set({ role, owner_since: ownerSince })
    .where("id", "=", own.id)
    .returning(personColumns)
    .executeTakeFirstOrThrow();
  const changed = personOf(row, person.name);
  await deps.recordAudit(db, {
    accountId: own.accountId,
    type: "person.role_changed",
    resourceId: own.id,
    before: presentPerson(person),
    after: presentPerson(changed),
  });
  return changed;
}

async function remove(db: Kysely<AccountsTables>, deps: AccountsDeps, own: Own): Promise<Person | null> {
  const person = await hold(db, deps, own);
  if (!person) {
    return null;
  }
  await refuseLastOwner(db, { ...own, person });
  // The links of an invitation go with the row.
  const { user_id: userId } = await db
    .deleteFrom("people")
    .where("id", "=", own.id)
    .returning("user_id")
    .executeTakeFirstOrThrow();
  if (userId !== null) {
    await revokeGrants(db, deps, { userId, accountId: own.accountId });
  }
  const before = presentPerson(person);
  await deps.recordAudit(db, { accountId: own.accountId, type: "person.removed", resourceId: own.id, before });
  return person;
}

async function hold(db: Kysely<AccountsTables>, deps: AccountsDeps, own: Own): Promise<Person | null> {
  await lockAccount(db, own.accountId);
  return findPerson(db, deps.findUserNames, own);
}

/** The caller holds the account. An owner who is only invited does not count. */
async function refuseLastOwner(
  db: Kysely<AccountsTables>,
  { id, accountId, person }: Own & { person: Person },
): Promise<void> {
  if (person.role !== "owner" || person.joinedAt === null) {
    return;
  }
  if (!(await hasOwner(db, accountId, { exceptId: id }))) {
    throw new Problem(
      "LAST_OWNER",
      `The person ${id} is the only owner who has joined, and an account keeps at least one. Make another person owner first.`,
    );
  }
}

/** Looks the accounts up one by one, because the planner may read all of them for a join. */
async function listOfUser(db: Kysely<AccountsTables>, userId: string): Promise<Membership[]> {
  const own = walkIndex(db.selectFrom("people").selectAll(), { of: { user_id: userId }, most: mostListed });
  const { rows } = await sql<Membership>`
    select own.account_id as "accountId", own.id as "personId", own.role,
      coalesce(account.name, account.email) as "accountName", account.email as "accountEmail",
      account.suspended_at is not null as "isSuspended",
      own.role = 'owner' and account.owners_need_second_factor as "needsSecondFactor"
    from ${own} as own cross join lateral (
      select name, email, suspended_at, owners_need_second_factor from accounts where id = own.account_id limit 1
    ) account
    order by own.id
  `.execute(db);
  return rows;
}
