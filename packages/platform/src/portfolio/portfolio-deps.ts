import type { Readings } from "@gateway/engine/readings";
import type { NounDeps } from "../audit/index.ts";
import type { Ledger } from "../ledger/index.ts";
import type { WorkQueue } from "@gateway/engine/work";
import type { PortfolioPrices } from "../oracle/index.ts";

/** The kind of the daily work. */
export const followPortfolioKind = "portfolio.follow";

/** The kind of work that an operator requests. */
export const rebuildPortfolioKind = "portfolio.rebuild";

export type PortfolioDeps = PortfolioPrices &
  NounDeps & {
    ledger: Pick<Ledger, "sealed" | "seals">;
    queue: Pick<WorkQueue, "arm">;
    readings: Pick<Readings, "read">;
  };
