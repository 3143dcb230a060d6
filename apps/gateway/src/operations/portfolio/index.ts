import type { OperationsOf } from "../operation.ts";
import { createValuation } from "./create-valuation.ts";
import { getPortfolio } from "./get-portfolio.ts";
import { getPosition } from "./get-position.ts";
import { getValuation } from "./get-valuation.ts";
import { listPositions } from "./list-positions.ts";
import { listValuations } from "./list-valuations.ts";

export const portfolioOperations = {
  createValuation,
  getPortfolio,
  getPosition,
  getValuation,
  listPositions,
  listValuations,
} satisfies OperationsOf<"portfolio">;
