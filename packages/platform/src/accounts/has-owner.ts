import type { Kysely } from "kysely";
import type { AccountsTables } from "./tables.ts";

/** Whether the account has an owner who has joined, apart from `exceptId`. An invited owner does not count. */
export async function hasOwner(
  db: Kysely<AccountsTables>,
  accountId: string,
  { exceptId = "" }: { exceptId?: string } = {},
): Promise<boolean> {
  const owner = await db
    .selectFrom("people")
    .select("id")
    .where("account_id", "=", accountId)
    .where("role", "=", "owner")
    .where("joined_at", "is not", null)
    .where("id", "<>", exceptId)
    .limit(1)
    .executeTakeFirst();
  return owner !== undefined;
}
