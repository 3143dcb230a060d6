import { presentValuation } from "@gateway/platform/portfolio";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listValuations: OperationHandler<"listValuations"> = answerPage(
  (query, { portfolio }) => portfolio.valuations.list(query),
  presentValuation,
);
