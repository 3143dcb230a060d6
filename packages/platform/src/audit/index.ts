import type { Kysely } from "kysely";
import { createAuditChains, type AuditChains, type ChainHead } from "./audit-chain.ts";
import {
  createAuditBeside,
  createAuditEventStore,
  createRecordAudit,
  type AuditBeside,
  type AuditDeps,
  type AuditEventStore,
  type AuditRecord,
  type RecordAudit,
} from "./audit-event.ts";
import { createAuditRetention, type AuditRetention, type AuditRetentionDeps } from "./audit-retention.ts";
import { exportEvents, type ExportedAuditEvent } from "./export-events.ts";
import { forgetPersonal, type ForgetRequest } from "./forget-personal.ts";
import type { AuditTables } from "./tables.ts";
import { verifyChain, type ChainVerdict } from "./verify-chain.ts";

export { sealedAfterMs, type ChainHead } from "./audit-chain.ts";
export type { ExportedAuditEvent } from "./export-events.ts";
export type { ChainVerdict } from "./verify-chain.ts";
export type { Actor, AuditEvent, AuditEventType, AuditFilter, AuditOrigin, RecordAudit } from "./audit-event.ts";
export { createRecordAudit, deploymentAccountId, systemOrigin } from "./audit-event.ts";
export { datedAudit } from "./audit-retention.ts";
export type { NounDeps } from "./noun-deps.ts";
export { presentAuditEvent } from "./present-audit-event.ts";
export type { AuditTables, CreatedBy } from "./tables.ts";

export type Audit = AuditEventStore & {
  chains: AuditChains;
  retention: AuditRetention;
  /** See `verifyChain`, for one account. */
  verify(of: { accountId: string; logged?: Omit<ChainHead, "accountId"> | null }): Promise<ChainVerdict>;
  exportEvents(of: { accountId: string }): AsyncIterable<ExportedAuditEvent>;
  forgetPersonal(of: ForgetRequest): Promise<number>;
  /** See `RecordAudit`; in the transaction that these services write in. */
  record(record: AuditRecord): Promise<void>;
  /** For a noun of another service, in its own transaction. */
  recordIn: RecordAudit;
  /** The same within the statement that makes it. */
  beside: AuditBeside;
};

export function createAudit(db: Kysely<AuditTables>, deps: AuditDeps & AuditRetentionDeps): Audit {
  const recordIn = createRecordAudit(deps);
  return {
    ...createAuditEventStore(db, deps),
    chains: createAuditChains(db, deps),
    retention: createAuditRetention(db, deps),
    verify: (of) => verifyChain(db, of),
    exportEvents: (of) => exportEvents(db, of),
    forgetPersonal: (of) => forgetPersonal(db, { recordAudit: recordIn }, of),
    record: (record) => recordIn(db, record),
    recordIn,
    beside: createAuditBeside(deps),
  };
}
