import type { Executor } from "@gateway/database";
import { sql } from "kysely";
import type { Actor } from "../audit/index.ts";
import { isExactly } from "@gateway/engine/page";

type PlaceOfUser = { accountId: string; personId: string };

export type ListPlaces = (db: Executor, userId: string) => Promise<PlaceOfUser[]>;

export const listPlaces: ListPlaces = async (db, userId) => {
  const { rows } = await sql<PlaceOfUser>`
    select account_id as "accountId", id as "personId" from people where ${isExactly("user_id", userId)}
  `.execute(db);
  return rows;
};

/** The user as a person of the account; without an id once they have left it. */
export async function actorIn(
  db: Executor,
  { userId, accountId }: { userId: string; accountId: string },
): Promise<Actor> {
  const { rows } = await sql<{ id: string }>`
    select id from people where account_id = ${accountId} and ${isExactly("user_id", userId)}
  `.execute(db);
  return { type: "person", id: rows[0]?.id ?? null, applicationId: null };
}
