import type { PeopleTable, Schema } from "@gateway/database";
import type { ExpressionBuilder, Kysely, Selectable } from "kysely";
import type { Role } from "./role.ts";

/** A user's place in an account; while nobody has taken it, an invitation. */
export type Person = {
  id: string;
  email: string;
  /** The user's; null while invited. */
  name: string | null;
  role: Role;
  /** Of the first owner: when they joined. */
  invitedAt: Date;
  /** Null while invited. */
  joinedAt: Date | null;
};

type PersonRow = Pick<Selectable<PeopleTable>, "id" | "email" | "role" | "invited_at" | "joined_at"> & {
  name: string | null;
};

export async function findPerson(
  db: Kysely<Schema>,
  { id, accountId }: { id: string; accountId: string },
): Promise<Person | null> {
  const row = await selectPeopleOf(db, accountId).where("id", "=", id).executeTakeFirst();
  return row ? personOf(row) : null;
}

export function selectPeopleOf(db: Kysely<Schema>, accountId: string) {
  return db
    .selectFrom("people")
    .select(["id", "email", "role", "invited_at", "joined_at"])
    .select((people) => nameOfUser(people).as("name"))
    .where("account_id", "=", accountId);
}

/** As a subquery, so that a page of people is one walk along their own index. */
function nameOfUser({ selectFrom }: ExpressionBuilder<Schema, "people">) {
  return selectFrom("users").select("users.name").whereRef("users.id", "=", "people.user_id");
}

export function personOf(row: PersonRow): Person {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    invitedAt: row.invited_at,
    joinedAt: row.joined_at,
  };
}
