import type { Kysely } from "kysely";
import {
  createAuditEventStore,
  createRecordAudit,
  type AuditDeps,
  type AuditEventStore,
  type AuditRecord,
  type RecordAudit,
} from "./audit-event.ts";
import { createAuditRetention, type AuditRetention, type AuditRetentionDeps } from "./audit-retention.ts";
import type { AuditTables } from "./tables.ts";

export type {
  Actor,
  AuditEvent,
  AuditEventType,
  AuditFilter,
  AuditRecord,
  AuditOrigin,
  RecordAudit,
} from "./audit-event.ts";
export { deploymentAccountId, systemOrigin } from "./audit-event.ts";
export { auditLifetimeMs, datedAudit, type AuditRetention } from "./audit-retention.ts";
export { presentAuditEvent } from "./present-audit-event.ts";
export type { AuditTables, CreatedBy } from "./tables.ts";

/** Who did what. */
export type Audit = AuditEventStore & {
  retention: AuditRetention;
  /** See `RecordAudit`; in the transaction that these services write in. */
  record(record: AuditRecord): Promise<void>;
  /** For a noun of another service, in its own transaction. */
  recordIn: RecordAudit;
};

export function createAudit(db: Kysely<AuditTables>, deps: AuditDeps & AuditRetentionDeps): Audit {
  const recordIn = createRecordAudit(deps);
  return {
    ...createAuditEventStore(db, deps),
    retention: createAuditRetention(db, deps),
    record: (record) => recordIn(db, record),
    recordIn,
  };
}
