import type { FindUserNames } from "./accounts-deps.ts";
import { nounOf } from "@gateway/engine/noun";
import { isOwn, type Own } from "@gateway/engine/find-own";
import type { Kysely, Selectable } from "kysely";
import type { PeopleTable, AccountsTables } from "./tables.ts";

/**
 * A user's place in an account; an invitation until a user accepts it.
 *
 * `name`: the user's; null while invited, as `joinedAt`. `invitedAt`: for the first owner, the time they joined.
 * `ownerSince`: start of the ownership without a break; null for a person who is not an owner, or has not joined.
 * `lastSeenAt`: the last use through an application, in this account.
 */
export type Person = ReturnType<typeof personOf>;

export const personColumns = [
  "id",
  "user_id",
  "email",
  "role",
  "invited_at",
  "joined_at",
  "created_by",
  "owner_since",
  "last_used_at",
] as const;

export type PersonRow = Pick<Selectable<PeopleTable>, (typeof personColumns)[number]>;

export async function findPerson(
  db: Kysely<AccountsTables>,
  findUserNames: FindUserNames,
  own: Own,
): Promise<Person | null> {
  const row = await selectPeople(db).where(isOwn(own)).executeTakeFirst();
  const [person = null] = row ? await peopleOf([row], findUserNames) : [];
  return person;
}

export function selectPeople(db: Kysely<AccountsTables>) {
  return db.selectFrom("people").select(personColumns);
}

export async function peopleOf(rows: readonly PersonRow[], findUserNames: FindUserNames): Promise<Person[]> {
  const userIds = rows.flatMap(({ user_id: userId }) => userId ?? []);
  const names = userIds.length > 0 ? await findUserNames(userIds) : new Map<string, string>();
  return rows.map((row) => personOf(row, names.get(row.user_id ?? "") ?? null));
}

export function personOf({ user_id: _user, last_used_at: lastSeenAt, ...row }: PersonRow, name: string | null) {
  // The start was not always stored. Without it, an owner counts as one since they joined.
  const ownerSince = row.role === "owner" ? (row.owner_since ?? row.joined_at) : null;
  return { ...nounOf(row), name, lastSeenAt, ownerSince };
}
