import { dropPartition, transaction, type Database } from "@gateway/database";
import type { Clock } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import { createDatedPartitions, findExpiredPartitions, type DatedTables } from "@gateway/engine/dated-tables";
import type { AuditTables } from "./tables.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Audit events are shown for 400 days. Their rows are dropped later, four weeks at a time. */
export const auditLifetimeMs = 400 * dayMs;

/** Four weeks, because a list reads every partition: 16 of them, instead of 59 weekly ones. */
export const datedAudit: DatedTables = {
  spanMs: 28 * dayMs,
  tables: [{ table: "audit_events", prefix: "aud" }],
};

export type AuditRetentionDeps = { clock: Clock; administer: Database<unknown>["administer"] };

/** Any number of processes may run these at once. */
export function createAuditRetention(db: Kysely<AuditTables>, { clock, administer }: AuditRetentionDeps) {
  return {
    createPartitions: async () => {
      await createDatedPartitions(db, datedAudit, clock.now());
    },
    /**
     * Drops partitions wholly past their lifetime, once they are sealed. Each chain then begins after its last dropped
     * row.
     */
    dropExpired: async () => {
      for (const partition of await findExpiredPartitions(db, datedAudit, clock.now() - auditLifetimeMs)) {
        if (partition.state !== "attached" || (await moveCheckpoints(db, partition.end))) {
          await administer((connection) => dropPartition(connection, partition));
        }
      }
    },
  };
}

/**
 * False while a row before `end` is not sealed. Queries the table, because another process may have dropped the
 * partition.
 */
async function moveCheckpoints(db: Kysely<AuditTables>, end: string): Promise<boolean> {
  const { rows } = await sql`select from audit_events where sequence is null and id < ${end} limit 1`.execute(db);
  if (rows.length > 0) {
    return false;
  }
  await transaction(db, async (trx) => {
    await sql`
      update audit_chains set dropped_sequence = last.sequence, dropped_hash = last.hash
      from (
        select distinct on (account_id) account_id, sequence, hash from audit_events
        where id < ${end} and sequence is not null order by account_id, sequence desc
      ) last
      where audit_chains.account_id = last.account_id and audit_chains.dropped_sequence < last.sequence
    `.execute(trx);
  });
  return true;
}
