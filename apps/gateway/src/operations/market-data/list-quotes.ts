import { presentQuote } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listQuotes: OperationHandler<"listQuotes"> = answerPage(
  (query, { marketData }) => marketData.quotes.list(query),
  presentQuote,
);
