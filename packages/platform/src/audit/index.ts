import type { Kysely } from "kysely";
import { createAuditChains, type ChainHead } from "./audit-chain.ts";
import {
  createAuditBeside,
  createAuditEventStore,
  createRecordAudit,
  type AuditDeps,
  type AuditRecord,
} from "./audit-event.ts";
import { createAuditRetention, type AuditRetentionDeps } from "./audit-retention.ts";
import { exportEvents } from "./export-events.ts";
import { forgetPersonal, type ForgetRequest } from "./forget-personal.ts";
import type { AuditTables } from "./tables.ts";
import { verifyChain } from "./verify-chain.ts";

export { sealedAfterMs, type ChainHead } from "./audit-chain.ts";
export type { ExportedAuditEvent } from "./export-events.ts";
export type { ChainVerdict } from "./verify-chain.ts";
export type { Actor, AuditEvent, AuditEventType, AuditFilter, AuditOrigin, RecordAudit } from "./audit-event.ts";
export { createRecordAudit, deploymentAccountId, systemOrigin } from "./audit-event.ts";
export { datedAudit } from "./audit-retention.ts";
export type { NounDeps } from "./noun-deps.ts";
export { presentAuditEvent } from "./present-audit-event.ts";
export type { AuditTables, CreatedBy } from "./tables.ts";

export type Audit = ReturnType<typeof createAudit>;

export function createAudit(db: Kysely<AuditTables>, deps: AuditDeps & AuditRetentionDeps) {
  const recordIn = createRecordAudit(deps);
  return {
    ...createAuditEventStore(db, deps),
    chains: createAuditChains(db, deps),
    retention: createAuditRetention(db, deps),
    /** See `verifyChain`, for one account. */
    verify: (of: { accountId: string; logged?: Omit<ChainHead, "accountId"> | null }) => verifyChain(db, of),
    exportEvents: (of: { accountId: string }) => exportEvents(db, of),
    forgetPersonal: (of: ForgetRequest) => forgetPersonal(db, { recordAudit: recordIn }, of),
    /** See `RecordAudit`; in the transaction that these services write in. */
    record: (record: AuditRecord) => recordIn(db, record),
    /** For a noun of another service, in its own transaction. */
    recordIn,
    /** The same within the statement that makes it. */
    beside: createAuditBeside(deps),
  };
}
