import { presentPosition } from "@gateway/platform/portfolio";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listPositions: OperationHandler<"listPositions"> = answerPage(
  (query, { portfolio }) => portfolio.positions.list(query),
  presentPosition,
);
