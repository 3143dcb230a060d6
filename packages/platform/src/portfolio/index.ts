import type { Kysely } from "kysely";
import type { PortfolioDeps } from "./portfolio-deps.ts";
import { createPositions, type Positions } from "./position.ts";
import type { PortfolioTables } from "./tables.ts";
import { createUpkeep, type Upkeep } from "./upkeep.ts";
import { createValuations, type Valuations } from "./valuation.ts";

export { portfolioWork } from "./portfolio-work.ts";
export type { Position } from "./position.ts";
export { presentPortfolio, presentPosition, presentValuation } from "./present-portfolio.ts";
export type { PortfolioTables } from "./tables.ts";
export type { Valuation } from "./valuation-row.ts";

export type PortfolioService = { positions: Positions; valuations: Valuations; upkeep: Upkeep };

export function createPortfolio(db: Kysely<PortfolioTables>, deps: PortfolioDeps): PortfolioService {
  return {
    positions: createPositions(db, deps),
    valuations: createValuations(db, deps),
    upkeep: createUpkeep(db, deps),
  };
}
