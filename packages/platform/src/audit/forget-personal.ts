import { transaction } from "@gateway/database";
import { sql, type Kysely } from "kysely";
import type { RecordAudit } from "./audit-event.ts";
import type { AuditTables } from "./tables.ts";

/** `personId`: actions of that person and changes to them; without it, all events of the account. */
export type ForgetRequest = { accountId: string; personId?: string | undefined };

/** Deletes names and addresses from the log; the chain covers their hash. Returns how many events had some. */
export function forgetPersonal(
  db: Kysely<AuditTables>,
  { recordAudit }: { recordAudit: RecordAudit },
  { accountId, personId }: ForgetRequest,
): Promise<number> {
  return transaction(db, async (trx) => {
    const ofPerson = personId === undefined ? sql`` : sql`and ${personId} in (actor_id, resource_id)`;
    const { numAffectedRows } = await sql`
      update audit_events set personal = null, personal_salt = null
      where account_id = ${accountId} and personal is not null ${ofPerson}
    `.execute(trx);
    await recordAudit(trx, { accountId, type: "personal_data.deleted", resourceId: personId ?? accountId });
    return Number(numAffectedRows ?? 0);
  });
}
