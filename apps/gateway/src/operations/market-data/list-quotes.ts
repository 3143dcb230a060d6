import { presentQuote } from "@gateway/platform/market-data";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listQuotes: OperationHandler<"listQuotes"> = answerPage(
  (query, { marketData }) => marketData.quotes.list(query),
  presentQuote,
);
