export { createValuation } from "./create-valuation.ts";
export { getPortfolio } from "./get-portfolio.ts";
export { getPosition } from "./get-position.ts";
export { getValuation } from "./get-valuation.ts";
export { listPositions } from "./list-positions.ts";
export { listValuations } from "./list-valuations.ts";
