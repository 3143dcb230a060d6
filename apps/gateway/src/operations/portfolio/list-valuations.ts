import { presentValuation } from "@gateway/platform/portfolio";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listValuations: OperationHandler<"listValuations"> = answerPage(
  (query, { portfolio }) => portfolio.valuations.list(query),
  presentValuation,
);
