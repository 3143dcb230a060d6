import { presentPosition } from "@gateway/platform/portfolio";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listPositions: OperationHandler<"listPositions"> = answerPage(
  (query, { portfolio }) => portfolio.positions.list(query),
  presentPosition,
);
