import { presentQuote } from "@gateway/platform/market-data";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listQuotes: OperationHandler<"listQuotes"> = answerPage(
  (query, { marketData }) => marketData.quotes.list(query),
  presentQuote,
);
