import type { AccountClock } from "@gateway/engine/account-time";
import type { CreateId } from "@gateway/engine/id";
import type { Cipher, Clock, CursorCodec } from "@gateway/kernel";
import type { AuditBeside, AuditOrigin, RecordAudit } from "./audit-event.ts";

/** Common dependencies of the nouns of audited services. Each picks the ones it uses. */
export type NounDeps = AccountClock & {
  clock: Clock;
  cipher: Cipher;
  createId: CreateId;
  cursors: CursorCodec;
  livemode: boolean;
  origin: AuditOrigin;
  recordAudit: RecordAudit;
  auditBeside: AuditBeside;
};
