import { unlessTaken } from "@gateway/database";
import { sql, type Kysely } from "kysely";
import type { RecordAudit } from "../audit/index.ts";
import { foldEmail } from "../auth/index.ts";
import { actorIn, listPlaces } from "./place.ts";
import type { AccountsTables } from "./tables.ts";

/**
 * Changes the user's address in their accounts. An address that another person or account already has is left to them.
 */
export async function moveAddress(
  db: Kysely<AccountsTables>,
  { recordAudit }: { recordAudit: RecordAudit },
  { userId, from, to }: { userId: string; from: string; to: string },
): Promise<void> {
  for (const { personId } of await listPlaces(db, userId)) {
    await unlessTaken(db, () => sql`update people set email = ${to} where id = ${personId}`.execute(db));
  }
  const moved = await unlessTaken(db, () =>
    sql<{ id: string }>`
      update accounts set email = ${to} where email_key = ${foldEmail(from)}
        and exists (select from people where account_id = accounts.id and user_id = ${userId} and role = 'owner')
      returning id
    `.execute(db),
  );
  for (const { id: accountId } of moved?.rows ?? []) {
    const actor = await actorIn(db, { userId, accountId });
    const [before, after] = [{ email: from }, { email: to }];
    await recordAudit(db, { accountId, type: "account.updated", resourceId: accountId, actor, before, after });
  }
}
