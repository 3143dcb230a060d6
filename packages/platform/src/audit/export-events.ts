import type { Kysely } from "kysely";
import { auditEventOf, personalOf, type AuditEvent } from "./audit-event.ts";
import type { AuditTables } from "./tables.ts";

export type ExportedAuditEvent = AuditEvent & { operator: string | null; sequence: number | null; hash: Buffer | null };

const batchSize = 1_000;

/** All events of an account, oldest first, including those that are no longer shown. */
export async function* exportEvents(
  db: Kysely<AuditTables>,
  { accountId }: { accountId: string },
): AsyncGenerator<ExportedAuditEvent> {
  let after = "";
  for (let count = batchSize; count === batchSize;) {
    const rows = await db
      .selectFrom("audit_events")
      .selectAll()
      .where("account_id", "=", accountId)
      .where("id", ">", after)
      .orderBy("id")
      .limit(batchSize)
      .execute();
    for (const row of rows) {
      const personal = personalOf(row);
      yield { ...auditEventOf(row), operator: personal?.operator ?? null, sequence: row.sequence, hash: row.hash };
    }
    after = rows.at(-1)?.id ?? after;
    count = rows.length;
  }
}
