import type { NounDeps } from "../audit/index.ts";
import type { Recorder } from "../events/index.ts";

/** Dependencies of every noun of the ledger. */
export type LedgerDeps = Pick<
  NounDeps,
  "clock" | "createId" | "cursors" | "inAccount" | "joinAccount" | "recordAudit"
> & { recorder: Recorder };
