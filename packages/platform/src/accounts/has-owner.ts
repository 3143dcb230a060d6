import type { Kysely } from "kysely";
import type { AccountsTables } from "./tables.ts";

/** Whether an owner who has joined is there, `exceptId` not counted. One who is only invited is none yet. */
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
