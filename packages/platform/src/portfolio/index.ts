import type { Kysely } from "kysely";
import type { PortfolioDeps } from "./portfolio-deps.ts";
import { createPositions } from "./position.ts";
import type { PortfolioTables } from "./tables.ts";
import { createUpkeep } from "./upkeep.ts";
import { createValuations } from "./valuation.ts";

export { portfolioWork } from "./portfolio-work.ts";
export type { Position } from "./position.ts";
export { presentPortfolio, presentPosition, presentValuation } from "./present-portfolio.ts";
export type { PortfolioTables } from "./tables.ts";
export type { Valuation } from "./valuation-row.ts";

export type PortfolioService = ReturnType<typeof createPortfolio>;

export function createPortfolio(db: Kysely<PortfolioTables>, deps: PortfolioDeps) {
  return {
    positions: createPositions(db, deps),
    valuations: createValuations(db, deps),
    upkeep: createUpkeep(db, deps),
  };
}
