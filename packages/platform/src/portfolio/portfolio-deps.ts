import type { CursorCodec } from "@gateway/kernel";
import type { AccountClock } from "@gateway/engine/account-time";
import type { RecordAudit } from "../audit/index.ts";
import type { CreateId } from "@gateway/engine/id";
import type { Readings } from "@gateway/engine/readings";
import type { Ledger } from "../ledger/index.ts";
import type { WorkQueue } from "@gateway/engine/work";
import type { PortfolioPrices } from "../oracle/index.ts";

/** The work of each day. */
export const followPortfolioKind = "portfolio.follow";

/** What an operator asks for. */
export const rebuildPortfolioKind = "portfolio.rebuild";

export type PortfolioDeps = Pick<AccountClock, "accountNow" | "inAccount"> &
  PortfolioPrices & {
    createId: CreateId;
    cursors: CursorCodec;
    livemode: boolean;
    recordAudit: RecordAudit;
    ledger: Pick<Ledger, "sealed" | "seals">;
    queue: Pick<WorkQueue, "arm">;
    readings: Pick<Readings, "read">;
  };
