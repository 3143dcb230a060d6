import type { Readings } from "@gateway/engine/readings";
import type { NounDeps } from "../audit/index.ts";
import type { Ledger } from "../ledger/index.ts";
import type { WorkQueue } from "@gateway/engine/work";
import type { PortfolioPrices } from "../oracle/index.ts";

/** The work of each day. */
export const followPortfolioKind = "portfolio.follow";

/** What an operator asks for. */
export const rebuildPortfolioKind = "portfolio.rebuild";

export type PortfolioDeps = PortfolioPrices &
  Pick<NounDeps, "accountNow" | "createId" | "cursors" | "inAccount" | "livemode" | "recordAudit"> & {
    ledger: Pick<Ledger, "sealed" | "seals">;
    queue: Pick<WorkQueue, "arm">;
    readings: Pick<Readings, "read">;
  };
